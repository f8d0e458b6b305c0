import type { Type } from "../host.ts";
import { additionTo, originOf, type Addition } from "./origin.ts";
import { revivedType } from "./revival.ts";

/** A value within a schema; equal values are the same node. */
export interface StructureNode {
  /** Larger than those of all nodes within it. */
  readonly id: number;
  readonly value: unknown;
  /** The nodes of its members or elements, as often as they stand there. */
  readonly parts: readonly StructureNode[];
  /** The length of its JSON. */
  readonly size: number;
  /** The type that it is the schema of, without more to it. */
  type: Type | undefined;
  /** The node of its type's schema, where it only adds to that, and what. */
  base: (Addition & { readonly node: StructureNode }) | undefined;
}

/** Finds out which parts of schemas are equal, each part looked at once. */
export interface Structure {
  nodeOf(value: unknown): StructureNode;
  /** How many nodes there are: all ids are smaller. */
  count(): number;
}

/** Starts without any node. */
export function createStructure(): Structure {
  const byKey = new Map<string, StructureNode>();
  const byReference = new WeakMap<object, StructureNode>();

  function intern(key: string, node: Omit<StructureNode, "id">): StructureNode {
    const entry = byKey.get(key) ?? { id: byKey.size, ...node };
    byKey.set(key, entry);
    return entry;
  }

  function nodeOf(value: unknown): StructureNode {
    if (typeof value !== "object" || value === null) {
      const text = JSON.stringify(value) ?? "undefined";
      return intern(text, {
        value,
        parts: [],
        size: text.length,
        type: undefined,
        base: undefined,
      });
    }
    const entry = byReference.get(value) ?? nodeOfObject({ value, entries: Object.entries(value) });
    byReference.set(value, entry);
    return entry;
  }

  function nodeOfObject({
    value,
    entries,
  }: {
    value: object;
    entries: readonly [string, unknown][];
  }): StructureNode {
    const origin = originOf(value);
    const addition = origin && additionTo(origin.schema, value);
    const isBase = addition && !addition.isNullable && Object.keys(addition.beside).length === 0;
    const base = origin && addition && !isBase ? { ...addition, node: nodeOf(origin.schema) } : undefined;
    const parts = entries.map(([, part]) => nodeOf(part));
    const names = Array.isArray(value) ? "[]" : entries.map(([name]) => JSON.stringify(name)).join();
    const key = `${names}:${parts.map(({ id }) => id).join()}:${revivedType(value) ?? ""}`;
    const sizeOfNames = Array.isArray(value) ? 1 : names.length + entries.length;
    const size = parts.reduce((sum, part) => sum + part.size + 1, 1 + sizeOfNames);
    const node = intern(key, { value, parts, size, type: undefined, base });
    if (isBase) node.type ??= origin?.type;
    else node.base ??= base;
    return node;
  }

  return { nodeOf, count: () => byKey.size };
}

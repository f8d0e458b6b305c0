import type { JsonSchema } from "../../../schema/types.ts";
import type { Definitions } from "./definitions.ts";
import type { Structure, StructureNode } from "./structure.ts";

/** A smaller schema than this, in characters of JSON, is read more easily where it stands. */
const smallest = 150;

/** Fewer characters than this are not worth a look elsewhere. */
const leastSaved = 1_000;

/** About what it takes to refer to a definition. */
const referenceSize = 40;

/**
 * Says once, in `$defs`, what the schema of a named type says at several places, where that makes the whole much shorter.
 * @param schema - The whole, without `$defs`.
 * @param definitions - What `schema` refers to so far, recursive types, and names for more.
 */
export function shareDefinitions(
  structure: Structure,
  schema: JsonSchema,
  { finished: definitions, nameOf }: Definitions,
): JsonSchema {
  const root = structure.nodeOf(schema);
  const recursive = [...definitions].map(([name, each]) => [name, structure.nodeOf(each)] as const);
  const shared = sharedNodes([root, ...recursive.map(([, node]) => node)], structure.count());
  const finished = new Map<string, unknown>();
  const rebuilt = new Map<StructureNode, unknown>();

  /** The schema in the place of a node: its own, or a reference to it. */
  function placed(node: StructureNode): unknown {
    const { beside = {}, isNullable = false, node: ownNode = node } = node.base ?? {};
    if (ownNode.type === undefined || !shared.has(ownNode)) return rebuild(node);
    const name = nameOf(ownNode.type);
    if (!finished.has(name)) {
      // Holds the place: definitions stand in the order in which they are met.
      finished.set(name, undefined);
      finished.set(name, rebuild(ownNode));
    }
    const $ref = `#/$defs/${name}`;
    return isNullable ? { ...beside, anyOf: [{ $ref }, { type: "null" }] } : { ...beside, $ref };
  }

  function rebuild(node: StructureNode): unknown {
    const before = rebuilt.get(node);
    if (before !== undefined) return before;
    const parts = node.parts.map(placed);
    const result = isSame(node, parts) ? node.value : copyWith(node.value, parts);
    rebuilt.set(node, result);
    return result;
  }

  const whole = rebuild(root);
  const entries = recursive.map(([name, node]) => [name, rebuild(node)]);
  const $defs = Object.fromEntries([...entries, ...finished]);
  if (!isSchema(whole) || Object.keys($defs).length === 0) return schema;
  return { ...whole, $defs };
}

/** The schemas of types that are worth a definition. `roots` appear once in any case. */
function sharedNodes(roots: readonly StructureNode[], count: number): ReadonlySet<StructureNode> {
  const nodes: (StructureNode | undefined)[] = Array.from({ length: count });
  const uses = new Float64Array(count);
  const collect = (node: StructureNode): void => {
    if (nodes[node.id] !== undefined) return;
    nodes[node.id] = node;
    for (const part of partsOf(node)) collect(part);
  };
  for (const root of roots) {
    collect(root);
    uses[root.id] = 1;
  }
  const shared = new Set<StructureNode>();
  // What contains a node comes before it: by then, the number of its appearances is known.
  for (const node of nodes.toReversed()) {
    if (node === undefined) continue;
    const times = uses[node.id] ?? 0;
    const saved = (times - 1) * (node.size - referenceSize);
    const isShared =
      node.type !== undefined && node.size >= smallest && saved >= leastSaved && !roots.includes(node);
    if (isShared) shared.add(node);
    for (const part of partsOf(node)) {
      uses[part.id] = (uses[part.id] ?? 0) + (isShared ? 1 : times);
    }
  }
  return shared;
}

/** The node to write at a place: for a copy, its original. */
function partsOf({ base, parts }: StructureNode): readonly StructureNode[] {
  return base ? [base.node] : parts;
}

/** Whether nothing within a node has another place than before. */
function isSame({ value }: StructureNode, parts: readonly unknown[]): boolean {
  if (typeof value !== "object" || value === null) return true;
  return Object.values(value).every((part, index) => Object.is(part, parts[index]));
}

function copyWith(value: unknown, parts: readonly unknown[]): unknown {
  if (Array.isArray(value)) return parts;
  if (!isSchema(value)) return value;
  // A copy has the marks of what is revived; keys stay in their order.
  const names = Object.keys(value);
  return { ...value, ...Object.fromEntries(names.map((name, index) => [name, parts[index]])) };
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

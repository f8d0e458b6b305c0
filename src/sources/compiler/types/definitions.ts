import type { JsonSchema } from "../../../schema/types.ts";
import type { Host, Type } from "../host.ts";

/** The recursive types met so far. Other types are written out where they stand. */
export interface Definitions {
  readonly finished: ReadonlyMap<string, JsonSchema>;
  /** Makes the schema of `type`, or refers to it if it is being made already or is known to be recursive. */
  readonly within: (type: Type, make: () => JsonSchema) => JsonSchema;
  /** A name for a type that no other type has. */
  readonly nameOf: (type: Type) => string;
  /** How many types are known to be recursive, to go back to. */
  count(): number;
  /** Forgets the recursive types after the first `count`: nothing that is left refers to them. */
  forgetAfter(count: number): void;
}

/** Starts without any definition. */
export function createDefinitions(host: Host): Definitions {
  const finished = new Map<string, JsonSchema>();
  const names = new Map<number, string>();
  const underway = new Set<number>();

  function nameOf(type: Type): string {
    const existing = names.get(type.id);
    if (existing !== undefined) return existing;
    const base =
      host
        .typeText(type)
        .replace(/\W+/g, "_")
        .replace(/^_+|_+$/g, "")
        .slice(0, 40) || "Type";
    const usedNames = new Set(names.values());
    let name = base;
    for (let count = 2; usedNames.has(name); count += 1) name = `${base}_${count}`;
    names.set(type.id, name);
    return name;
  }

  function within(type: Type, make: () => JsonSchema): JsonSchema {
    const isRecursive = underway.has(type.id) || names.has(type.id);
    if (isRecursive) return { $ref: `#/$defs/${nameOf(type)}` };
    underway.add(type.id);
    const schema = make();
    underway.delete(type.id);
    const name = names.get(type.id);
    if (name === undefined) return schema;
    finished.set(name, schema);
    return { $ref: `#/$defs/${name}` };
  }

  return {
    finished,
    within,
    nameOf,
    count: () => names.size,
    forgetAfter(count) {
      for (const [id, name] of [...names].slice(count)) {
        names.delete(id);
        finished.delete(name);
      }
    },
  };
}

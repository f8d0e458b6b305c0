import { defineOwn } from "../../base/util/snapshot.ts";
import type { SchemaConverter } from "./convert-schema.ts";

/** The most characters of all definitions of a tool. What is farther from the arguments is only named. */
const longestDefinitions = 40_000;

/** The `$defs` of a tool. */
export interface DocumentDefinitions {
  readonly schemas: Readonly<Record<string, unknown>>;
  /** The names of those that found no room. */
  readonly leftOut: readonly string[];
}

/**
 * Finds what schemas refer to, the nearest first, as long as there is room. Tools that refer to the same have one object.
 * @returns a function of the names that are referred to.
 */
export function definitionsFinder(
  converter: SchemaConverter,
): (uses: ReadonlySet<string>) => DocumentDefinitions {
  const cached = new Map<string, DocumentDefinitions>();
  const lengths = new Map<string, number>();
  const lengthOf = (name: string): number => {
    const length = lengths.get(name) ?? JSON.stringify(converter.definition(name).schema).length;
    lengths.set(name, length);
    return length;
  };
  return (uses) => {
    const key = JSON.stringify([...uses]);
    const definitions = cached.get(key) ?? findDefinitions(converter, uses, lengthOf);
    cached.set(key, definitions);
    return definitions;
  };
}

function findDefinitions(
  converter: SchemaConverter,
  uses: ReadonlySet<string>,
  lengthOf: (name: string) => number,
): DocumentDefinitions {
  const schemas: Record<string, unknown> = {};
  const leftOut: string[] = [];
  const wanted = new Set(uses);
  let room = longestDefinitions;
  // A set that grows while it is walked.
  for (const name of wanted) {
    room -= lengthOf(name);
    if (room < 0) {
      leftOut.push(name);
      defineOwn(schemas, name, { description: `${name}, as the API documents it` });
      continue;
    }
    const { schema, uses: further } = converter.definition(name);
    defineOwn(schemas, name, schema);
    for (const next of further) wanted.add(next);
  }
  return { schemas, leftOut };
}

import type { JsonSchema } from "../../schema/types.ts";
import { isPlainObject } from "../../base/util/json.ts";
import type { BfclFunction, BfclType } from "./format.ts";

/** Python's names of types, and others that the files use, in JSON Schema. A value of any type is requested as text. */
const typeNames: Readonly<Record<string, string>> = {
  dict: "object",
  object: "object",
  list: "array",
  array: "array",
  tuple: "array",
  float: "number",
  number: "number",
  double: "number",
  integer: "integer",
  long: "integer",
  bool: "boolean",
  boolean: "boolean",
  string: "string",
  any: "string",
};

/** Words of JSON Schema that the files use; all others say nothing to a model. */
const keywords = new Set(["description", "enum", "default", "format", "minimum", "maximum", "pattern"]);

/** How deep types may be nested. */
const deepest = 50;

/** A function's parameters as JSON Schema. */
export function jsonSchemaOf({ parameters }: BfclFunction): JsonSchema {
  return { properties: {}, ...convert(parameters, 0), type: "object" };
}

function convert(type: BfclType, depth: number): JsonSchema {
  if (!isPlainObject(type) || depth > deepest) return {};
  const { type: name = "any", properties, items, required } = type;
  const supported = Object.entries(type).filter(([keyword]) => keywords.has(keyword));
  return {
    type: (Object.hasOwn(typeNames, name) ? typeNames[name] : undefined) ?? "string",
    ...Object.fromEntries(supported),
    ...(isPlainObject(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([key, each]) => [key, convert(each, depth + 1)]),
      ),
    }),
    ...(isPlainObject(items) && { items: convert(items, depth + 1) }),
    ...(Array.isArray(required) && required.length > 0 && { required }),
  };
}

/** Functions under names that every provider takes, and the way back. */
export interface LegalNames {
  /** The name that a model sees. */
  readonly legal: (name: string) => string;
  /** The name in the file; any other name stays as it is. */
  readonly original: (legal: string) => string;
}

/** Dots and whatever else is not allowed become `_`, as on the leaderboard; names that would be the same get a number. */
export function legalNames(names: readonly string[]): LegalNames {
  const legal = new Map<string, string>();
  const original = new Map<string, string>();
  for (const name of names) {
    if (legal.has(name)) continue;
    const stem = name.replaceAll(/[^\w-]/g, "_").slice(0, 60) || "_";
    let free = stem;
    for (let count = 2; original.has(free); count += 1) free = `${stem}_${count}`;
    legal.set(name, free);
    original.set(free, name);
  }
  return {
    legal: (name) => legal.get(name) ?? name,
    original: (name) => original.get(name) ?? name,
  };
}

import type { JsonSchema } from "./types.ts";

/** `schema` with `null` allowed: in its own `type`, `enum` or `anyOf` where it has one. */
export function nullable(schema: JsonSchema): JsonSchema {
  const { type, enum: values, const: value, anyOf, ...rest } = schema;
  const types = [...new Set([type, "null"].flat())];
  const named = types.length === 1 ? types[0] : types;
  if (Array.isArray(values)) return { ...rest, type: named, enum: [...new Set([...values, null])] };
  if (value === null) return schema;
  if (value !== undefined) return { ...rest, type: named, enum: [value, null] };
  if (Array.isArray(anyOf)) {
    const isNull = (branch: JsonSchema): boolean => branch["type"] === "null";
    return anyOf.some(isNull) ? schema : { ...schema, anyOf: [...anyOf, { type: "null" }] };
  }
  if (type !== undefined) return { type: named, ...rest };
  return Object.keys(schema).length === 0 ? schema : { anyOf: [schema, { type: "null" }] };
}

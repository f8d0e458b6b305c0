import type { JsonSchema } from "../../schema/types.ts";

/** `schema` with `null` allowed, without `anyOf` where that can be said. */
export function nullable(schema: JsonSchema): JsonSchema {
  const { type, enum: values, const: value, anyOf, ...rest } = schema;
  if (Array.isArray(values))
    return { ...rest, type: typesWithNull(type), enum: [...new Set([...values, null])] };
  if (value === null) return schema;
  if (value !== undefined) return { ...rest, type: typesWithNull(type), enum: [value, null] };
  if (anyOf === undefined && type !== undefined) return { type: typesWithNull(type), ...rest };
  return Object.keys(schema).length === 0 ? schema : { anyOf: [schema, { type: "null" }] };
}

function typesWithNull(type: unknown): unknown {
  const types = [...new Set([type, "null"].flat())];
  return types.length === 1 ? types[0] : types;
}

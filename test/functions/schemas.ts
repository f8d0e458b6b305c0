/** Short ways to write the schemas of the table. */
import type { JsonSchema } from "skein";
import { someText } from "./difference.ts";

export const string: JsonSchema = { type: "string" };
export const number: JsonSchema = { type: "number" };
export const boolean: JsonSchema = { type: "boolean" };
export const nothing: JsonSchema = { type: "null" };
export const anything: JsonSchema = {};

/** Values that JSON cannot carry, as a model writes them. */
export const date: JsonSchema = { type: "string", format: "date-time" };
export const bigint: JsonSchema = { type: "string", pattern: someText };
export const url: JsonSchema = { type: "string", format: "uri" };
export const bytes: JsonSchema = { type: "string", contentEncoding: "base64" };

/** An object that takes these properties and no others; all are required but the `optional` ones. */
export function object(
  properties: Readonly<Record<string, JsonSchema>>,
  optional: readonly string[] = [],
): JsonSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return {
    type: "object",
    properties,
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}

/** An input whose types refer to `$defs`. */
export function withDefinitions(schema: JsonSchema, $defs: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { ...schema, $defs };
}

/** A reference to one of the `$defs`. */
export function ref(name: string): JsonSchema {
  return { $ref: `#/$defs/${name}` };
}

/** An object with any keys. */
export function record(values: JsonSchema): JsonSchema {
  return { type: "object", additionalProperties: values };
}

/** An array of any length. */
export function list(items: JsonSchema): JsonSchema {
  return { type: "array", items };
}

/** An array with these elements, of which the last `optional` ones may be left out. */
export function tuple(elements: readonly JsonSchema[], optional = 0): JsonSchema {
  return {
    type: "array",
    prefixItems: elements,
    items: false,
    minItems: elements.length - optional,
    maxItems: elements.length,
  };
}

/** An array that begins with these elements and goes on with others. */
export function openTuple(elements: readonly JsonSchema[], rest: JsonSchema): JsonSchema {
  return { type: "array", prefixItems: elements, items: rest, minItems: elements.length };
}

/** One value. */
export function only(value: string | number | boolean): JsonSchema {
  return { type: typeof value, const: value };
}

/** One of several values, in order. */
export function oneOf(...values: readonly (string | number | boolean | null)[]): JsonSchema {
  const types = [...new Set(values.map((value) => (value === null ? "null" : typeof value)))];
  return { type: types.length === 1 ? types[0] : types, enum: values };
}

/** What fits any of these. */
export function anyOf(...schemas: readonly JsonSchema[]): JsonSchema {
  return { anyOf: schemas };
}

/** `schema` or null. */
export function orNull({ type, ...rest }: JsonSchema): JsonSchema {
  return { type: [type, "null"], ...rest };
}

/** `schema` with a description. */
export function described(description: string, schema: JsonSchema): JsonSchema {
  return { description, ...schema };
}

/** A set: no value twice. */
export function setOf(items: JsonSchema): JsonSchema {
  return { type: "array", items, uniqueItems: true };
}

/** A map whose keys are not text. */
export function pairs(key: JsonSchema, value: JsonSchema): JsonSchema {
  return list(tuple([key, value]));
}

/** What a function returns, which may have more properties than its type says. */
export function returned(
  properties: Readonly<Record<string, JsonSchema>>,
  optional: readonly string[] = [],
): JsonSchema {
  const { additionalProperties: _closed, ...open } = object(properties, optional);
  return open;
}

import type { JsonSchema } from "../schema/types.ts";
import { isPlainObject } from "../base/util/json.ts";

/** Keywords whose value is a schema, a list of schemas, or schemas by name. */
const single = [
  "items",
  "additionalProperties",
  "contains",
  "not",
  "if",
  "then",
  "else",
  "propertyNames",
  "unevaluatedItems",
  "unevaluatedProperties",
];
const lists = ["anyOf", "oneOf", "allOf", "prefixItems"];
const maps = ["properties", "patternProperties", "dependentSchemas"];
const definitions = ["$defs", "definitions"];

/** The properties of an object schema. */
export function propertiesOf(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return schemasByName(schema["properties"]);
}

/** The names that an object schema requires. */
export function requiredOf(schema: JsonSchema): ReadonlySet<string> {
  const { required } = schema;
  return new Set(Array.isArray(required) ? required.filter((name) => typeof name === "string") : []);
}

/** What `$ref` stands for within `root`, else the schema itself; an own description wins. */
export function resolved(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const visited = new Set<unknown>();
  let at: JsonSchema = schema;
  for (;;) {
    const { $ref: reference, ...beside } = at;
    if (typeof reference !== "string" || visited.has(reference)) return at;
    visited.add(reference);
    const target = pointedAt(reference, root);
    if (target === undefined) return at;
    at = { ...target, ...beside };
  }
}

/** The schemas directly within a schema, those it only defines left out. */
export function innerSchemas(schema: JsonSchema): readonly JsonSchema[] {
  return [
    ...single.flatMap((keyword) => schemasIn([schema[keyword]])),
    ...lists.flatMap((keyword) => {
      const list = schema[keyword];
      return Array.isArray(list) ? schemasIn(list) : [];
    }),
    ...maps.flatMap((keyword) => Object.values(schemasByName(schema[keyword]))),
  ];
}

/** The schemas that a schema defines for its `$ref`s, by name. */
export function definitionsOf(schema: JsonSchema): readonly (readonly [string, JsonSchema])[] {
  return definitions.flatMap((keyword) => Object.entries(schemasByName(schema[keyword])));
}

/** A schema and all that it is made of, each once: `$ref`s are not followed, but definitions are among them. */
export function* allSchemas(schema: JsonSchema): Generator<JsonSchema> {
  yield schema;
  for (const inner of innerSchemas(schema)) yield* allSchemas(inner);
  for (const [, definition] of definitionsOf(schema)) yield* allSchemas(definition);
}

function schemasByName(value: unknown): Readonly<Record<string, JsonSchema>> {
  if (!isPlainObject(value)) return {};
  return Object.fromEntries(Object.entries(value).filter(isSchemaEntry));
}

function isSchemaEntry(entry: [string, unknown]): entry is [string, JsonSchema] {
  return isPlainObject(entry[1]);
}

function schemasIn(values: readonly unknown[]): JsonSchema[] {
  return values.filter(isPlainObject);
}

/** Follows a JSON pointer such as `#/$defs/Node`. */
function pointedAt(reference: string, root: JsonSchema): JsonSchema | undefined {
  if (!reference.startsWith("#")) return undefined;
  let at: unknown = root;
  for (const step of reference.slice(1).split("/").slice(1)) {
    const key = decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return undefined;
    at = Reflect.get(at, key);
  }
  return isPlainObject(at) ? at : undefined;
}

import type { Compilation } from "./check.ts";
import { accepts, newState } from "./check.ts";
import { compilationOf } from "./compile-schema.ts";
import type { RevivedType } from "./function-schema.ts";
import { isObject } from "./json-value.ts";
import { patternOperand } from "./keywords/operands.ts";
import { resolvePointer } from "./references.ts";
import type { Issue, JsonSchema, Schema } from "./types.ts";
import { preview } from "./words.ts";

/** What travels along one revival. */
interface Revival {
  readonly compilation: Compilation;
  /** The types, by the subschemas that describe them. */
  readonly types: ReadonlyMap<unknown, RevivedType>;
  readonly path: (string | number)[];
  readonly issues: Issue[];
}

/**
 * `schema`, whose valid values are then made what the function declares: `Date`, bigint, `URL`, `Uint8Array`, `Set`, `Map`.
 * A value that fits the schema and still is none of these (a leap second, for `Date`) is an issue.
 * @param places - The types by the places of their schemas, as in `FunctionSchema`.
 */
export function revived(schema: Schema, places: Readonly<Record<string, RevivedType>>): Schema {
  const { jsonSchema } = schema;
  const types = new Map(
    Object.entries(places).map(([place, type]) => [resolvePointer(jsonSchema, place), type]),
  );
  return {
    jsonSchema,
    validate(value) {
      const validation = schema.validate(value);
      if (!validation.ok) return validation;
      const revival: Revival = { compilation: compilationOf(jsonSchema), types, path: [], issues: [] };
      const made = revive(jsonSchema, validation.value, revival);
      const { issues } = revival;
      return issues.length > 0 ? { ok: false, issues } : { ok: true, value: made };
    },
  };
}

/** The value that a valid `value` stands for; what cannot be made is an issue. Never changes `value`. */
function revive(schema: unknown, value: unknown, revival: Revival): unknown {
  if (!isObject(schema) || value === null) return value;
  const within = reviveWithin(schema, value, revival);
  const type = revival.types.get(schema);
  return type === undefined ? within : make(type, schema, within, revival);
}

function reviveWithin(schema: JsonSchema, value: unknown, revival: Revival): unknown {
  const { $ref: reference, anyOf } = schema;
  if (typeof reference === "string") {
    return revive(revival.compilation.resolve(reference).schema, value, revival);
  }
  if (Array.isArray(anyOf)) return reviveUnion(anyOf, value, revival);
  if (Array.isArray(value)) return reviveItems(schema, value, revival);
  return isObject(value) ? reviveProperties(schema, value, revival) : value;
}

/** As the first branch has it that takes the value and can make something of it. */
function reviveUnion(branches: readonly unknown[], value: unknown, revival: Revival): unknown {
  const { compilation } = revival;
  const found: Issue[] = [];
  for (const branch of branches) {
    if (!accepts(compilation.compile(branch), value, newState())) continue;
    const attempt: Revival = { ...revival, issues: [] };
    const made = revive(branch, value, attempt);
    if (attempt.issues.length === 0) return made;
    found.push(...attempt.issues);
  }
  revival.issues.push(...found);
  return value;
}

function reviveItems(schema: JsonSchema, items: readonly unknown[], revival: Revival): unknown {
  const prefix: readonly unknown[] = Array.isArray(schema["prefixItems"]) ? schema["prefixItems"] : [];
  return items.map((item, index) =>
    reviveAt(index, index < prefix.length ? prefix[index] : schema["items"], item, revival),
  );
}

function reviveProperties(schema: JsonSchema, object: JsonSchema, revival: Revival): unknown {
  const { properties, patternProperties, additionalProperties } = schema;
  const schemaOf = (key: string): unknown => {
    if (isObject(properties) && Object.hasOwn(properties, key)) return properties[key];
    const patterns = isObject(patternProperties) ? Object.entries(patternProperties) : [];
    const test = ([pattern]: [string, unknown]): boolean =>
      patternOperand("patternProperties", pattern, revival.compilation).test(key);
    return patterns.find(test)?.[1] ?? additionalProperties;
  };
  const entries = Object.entries(object);
  return Object.fromEntries(
    entries.map(([key, value]) => [key, reviveAt(key, schemaOf(key), value, revival)]),
  );
}

function reviveAt(key: string | number, schema: unknown, value: unknown, revival: Revival): unknown {
  revival.path.push(key);
  const made = revive(schema, value, revival);
  revival.path.pop();
  return made;
}

/** Named in issues. */
const words = {
  date: "a date",
  bigint: "an integer",
  url: "a URL",
  bytes: "base64",
  set: "a set",
  map: "a map",
} as const;

function make(type: RevivedType, schema: JsonSchema, value: unknown, revival: Revival): unknown {
  try {
    if (type === "set" && Array.isArray(value)) return new Set(value);
    if (type === "map" && isObject(value)) {
      return new Map(
        Object.entries(value).map(([key, item]) => [revive(schema["propertyNames"], key, revival), item]),
      );
    }
    if (type === "map" && Array.isArray(value)) return new Map(value);
    if (typeof value === "string") return fromText(type, value);
  } catch {
    const expected = words[type];
    const message = `expected ${expected}, received ${preview(value)}`;
    revival.issues.push({ path: [...revival.path], message, expected, received: value });
  }
  return value;
}

/** Throws where the text says nothing of that type. */
function fromText(type: RevivedType, text: string): unknown {
  switch (type) {
    case "date":
      // An impossible date does not throw until it is written.
      return new Date(new Date(text).toISOString());
    case "bigint":
      return BigInt(text);
    case "url":
      return new URL(text);
    case "bytes":
      return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    case "set":
    case "map":
      return text;
  }
}

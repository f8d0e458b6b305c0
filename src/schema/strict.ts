import { isObject } from "./json-value.ts";
import { nullable } from "./nullable.ts";
import { resolvePointer } from "./references.ts";
import type { JsonSchema } from "./types.ts";

/**
 * What a provider's strict mode takes of JSON Schema.
 * OpenAI: https://platform.openai.com/docs/guides/structured-outputs#supported-schemas
 * Anthropic: https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations
 */
interface Dialect {
  /** Whether every property must be required: an optional one is then given as `null`. */
  readonly requiresAll: boolean;
  readonly allowsRecursion: boolean;
  /** Keywords that limit values and are understood; `true` for any operand. */
  readonly limits: Readonly<Record<string, true | readonly unknown[]>>;
}

const formats = ["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"];

/** Whose strict mode. */
export type StrictDialect = "openai" | "anthropic";

const dialects: Readonly<Record<StrictDialect, Dialect>> = {
  openai: {
    requiresAll: true,
    allowsRecursion: true,
    limits: {
      pattern: true,
      format: formats,
      multipleOf: true,
      minimum: true,
      maximum: true,
      exclusiveMinimum: true,
      exclusiveMaximum: true,
      minItems: true,
      maxItems: true,
    },
  },
  anthropic: {
    requiresAll: false,
    allowsRecursion: false,
    limits: { format: [...formats, "uri"], minItems: [0, 1] },
  },
};

/** A schema as a strict mode takes it, or why there is none. */
export type StrictForm =
  | { readonly ok: true; readonly schema: JsonSchema }
  | { readonly ok: false; readonly reason: string };

const known = {
  openai: new WeakMap<JsonSchema, StrictForm>(),
  anthropic: new WeakMap<JsonSchema, StrictForm>(),
};

/**
 * The schema of a tool's arguments as a provider's strict mode takes it. What fits it is understood by `parseArguments` with
 * `jsonSchema` itself: `null` for an optional property is as good as none. Limits that the provider does not know are said
 * in the description instead. There is no strict form where any keys, or any values, are accepted.
 */
export function strictForm(jsonSchema: JsonSchema, dialect: StrictDialect): StrictForm {
  const form = known[dialect].get(jsonSchema) ?? makeForm(jsonSchema, dialects[dialect]);
  known[dialect].set(jsonSchema, form);
  return form;
}

/** Thrown, and caught again here, for a part of a schema that no strict form has. */
class NotStrict extends Error {}

interface Writing {
  readonly dialect: Dialect;
  readonly root: JsonSchema;
}

function makeForm(root: JsonSchema, dialect: Dialect): StrictForm {
  const writing: Writing = { dialect, root };
  try {
    const properties = isObject(root["properties"]) ? root["properties"] : {};
    return { ok: true, schema: write({ type: "object", ...root, properties }, "$", writing) };
  } catch (error) {
    if (error instanceof NotStrict) return { ok: false, reason: error.message };
    throw error;
  }
}

const structural = new Set([
  "$schema",
  "$id",
  "$comment",
  "$defs",
  "definitions",
  "$ref",
  "type",
  "enum",
  "const",
  "anyOf",
  "oneOf",
  "title",
  "description",
  "properties",
  "required",
  "additionalProperties",
  "items",
  "uniqueItems",
]);

function write(schema: unknown, path: string, writing: Writing): JsonSchema {
  if (!isObject(schema)) throw new NotStrict(`${path} accepts ${schema === true ? "any value" : "no value"}`);
  const { type, enum: values, const: value, title } = schema;
  const description = describe(schema, writing.dialect);
  const written = {
    ...(type !== undefined && { type }),
    ...(title !== undefined && { title }),
    ...(description !== "" && { description }),
    ...(values !== undefined && { enum: values }),
    ...(value !== undefined && { const: value }),
    ...shape(schema, path, writing),
    ...limitsOf(schema, writing.dialect),
  };
  const definitions = ["$defs", "definitions"].flatMap((keyword) => {
    const table = schema[keyword];
    if (!isObject(table)) return [];
    return [[keyword, mapValues(table, (each, name) => write(each, `${path}.${keyword}.${name}`, writing))]];
  });
  return { ...written, ...Object.fromEntries(definitions) };
}

/** The keywords that say of what a value is made. */
function shape(schema: JsonSchema, path: string, writing: Writing): JsonSchema {
  const { $ref: reference, type, anyOf, oneOf } = schema;
  const branches = anyOf ?? oneOf;
  if (typeof reference === "string") {
    if (!writing.dialect.allowsRecursion && isRecursive(writing.root, reference)) {
      throw new NotStrict(`${path} is a recursive type`);
    }
    const hasMore = Object.keys(schema).length > 1;
    return hasMore ? { anyOf: [{ $ref: reference }] } : { $ref: reference };
  }
  if (path === "$" && (branches !== undefined || schema["allOf"] !== undefined)) {
    throw new NotStrict("the arguments are a union or an intersection");
  }
  if (Array.isArray(branches)) {
    return { anyOf: branches.map((branch, index) => write(branch, `${path}|${index}`, writing)) };
  }
  if (Object.hasOwn(schema, "enum") || Object.hasOwn(schema, "const")) return {};
  const types = new Set<unknown>([type].flat());
  if (type === undefined) throw new NotStrict(`${path} accepts any value`);
  return {
    ...(types.has("object") && objectShape(schema, path, writing)),
    ...(types.has("array") && arrayShape(schema, path, writing)),
  };
}

function objectShape(schema: JsonSchema, path: string, writing: Writing): JsonSchema {
  const { properties, required, additionalProperties = false } = schema;
  if (!isObject(properties) || additionalProperties !== false || schema["patternProperties"] !== undefined) {
    throw new NotStrict(`${path} accepts any keys`);
  }
  const { requiresAll } = writing.dialect;
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  const names = Object.keys(properties);
  return {
    properties: mapValues(properties, (property, name) => {
      const written = write(property, `${path}.${name}`, writing);
      return requiresAll && !needed.includes(name) ? nullable(written) : written;
    }),
    required: requiresAll ? names : names.filter((name) => needed.includes(name)),
    additionalProperties: false,
  };
}

/** A tuple becomes an array whose items may be any of its elements; the description says at which places. */
function arrayShape({ items, prefixItems }: JsonSchema, path: string, writing: Writing): JsonSchema {
  const elements: readonly unknown[] = Array.isArray(prefixItems) ? prefixItems : [];
  const all = items === undefined || items === false ? elements : [...elements, items];
  const written = all.map((element, index) =>
    write(element, `${path}[${elements.length > 0 ? index : ""}]`, writing),
  );
  const distinct = [...new Map(written.map((element) => [JSON.stringify(element), element])).values()];
  const [only, ...others] = distinct;
  if (only === undefined) throw new NotStrict(`${path} accepts any items`);
  return { items: others.length > 0 ? { anyOf: distinct } : only };
}

function limitsOf(schema: JsonSchema, dialect: Dialect): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema).filter(([keyword, operand]) => isKnown(keyword, operand, dialect)),
  );
}

function isKnown(keyword: string, operand: unknown, { limits }: Dialect): boolean {
  const operands = Object.hasOwn(limits, keyword) ? limits[keyword] : undefined;
  return operands === true || operands?.includes(operand) === true;
}

/** The description, and after it what the provider has no keyword for. */
function describe(schema: JsonSchema, dialect: Dialect): string {
  const lost = Object.entries(schema).filter(
    ([keyword, operand]) =>
      !isKnown(keyword, operand, dialect) &&
      (!structural.has(keyword) || (keyword === "uniqueItems" && operand === true)),
  );
  const notes = lost.map(([keyword, operand]) => `${keyword}: ${JSON.stringify(operand)}`).join(", ");
  const description = typeof schema["description"] === "string" ? schema["description"] : "";
  if (notes === "") return description;
  return description === "" ? `(${notes})` : `${description} (${notes})`;
}

/** Whether what a reference names refers to itself, directly or not. */
function isRecursive(root: JsonSchema, reference: string): boolean {
  const seen = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, each] of Object.entries(value)) {
      if (key !== "$ref" || typeof each !== "string") visit(each);
      else if (!seen.has(each)) {
        seen.add(each);
        visit(resolvePointer(root, each));
      }
    }
  };
  visit(resolvePointer(root, reference));
  return seen.has(reference);
}

function mapValues(
  table: Readonly<Record<string, unknown>>,
  change: (value: unknown, key: string) => JsonSchema,
): JsonSchema {
  return Object.fromEntries(Object.entries(table).map(([key, value]) => [key, change(value, key)]));
}

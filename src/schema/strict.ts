import { nullable } from "./nullable.ts";
import { resolvePointer } from "./references.ts";
import type { JsonSchema } from "./types.ts";
import { isObject } from "../base/util/json.ts";

/** What a provider's strict mode takes of JSON Schema. Lasting data: forms are kept by it. */
export interface StrictDialect {
  /** Whether every property must be required: an absent one is then `null`. */
  readonly requiresAll: boolean;
  readonly allowsRecursion: boolean;
  /** Keywords that limit values and are understood; `true` for any operand. */
  readonly limits: Readonly<Record<string, true | readonly unknown[]>>;
}

/** A schema as a strict mode takes it, or why there is none. */
export type StrictForm =
  | { readonly ok: true; readonly schema: JsonSchema }
  | { readonly ok: false; readonly reason: string };

/** The forms of a schema, by the dialect. */
const forms = new WeakMap<StrictDialect, WeakMap<JsonSchema, StrictForm>>();

/**
 * The schema of a tool's arguments as a provider's strict mode takes it. What fits it is understood by `parseArguments` with
 * `jsonSchema` itself: `null` for an optional property is as good as none. Limits that the provider does not know are
 * in the description instead. There is no strict form where any keys, or any values, are accepted.
 */
export function strictForm(jsonSchema: JsonSchema, dialect: StrictDialect): StrictForm {
  const cached = forms.get(dialect) ?? new WeakMap<JsonSchema, StrictForm>();
  forms.set(dialect, cached);
  const form = cached.get(jsonSchema) ?? makeForm(jsonSchema, dialect);
  cached.set(jsonSchema, form);
  return form;
}

/** Thrown, and caught again here, for a part of a schema that no strict form has. */
class NotStrict extends Error {}

interface Writing {
  readonly dialect: StrictDialect;
  readonly root: JsonSchema;
}

function makeForm(root: JsonSchema, dialect: StrictDialect): StrictForm {
  try {
    const isUnion = ["anyOf", "oneOf", "allOf"].some((keyword) => Object.hasOwn(root, keyword));
    if (isUnion) throw new NotStrict("the arguments are a union or an intersection");
    return { ok: true, schema: write({ type: "object", properties: {}, ...root }, "$", { dialect, root }) };
  } catch (error) {
    if (error instanceof NotStrict) return { ok: false, reason: error.message };
    throw error;
  }
}

/** Keywords that are written in a way of their own, or left out. */
const structural = /* @__PURE__ */ new Set(
  "$schema $id $comment $defs definitions $ref type enum const anyOf oneOf title description properties required additionalProperties items".split(
    " ",
  ),
);

function write(schema: unknown, path: string, writing: Writing): JsonSchema {
  if (!isObject(schema)) throw new NotStrict(`${path} accepts ${schema ? "any value" : "no value"}`);
  const { type, enum: values, const: value, title, description, $defs, definitions } = schema;
  const { limits, notes } = limitsOf(schema, writing.dialect);
  const words = [description, notes && `(${notes})`].filter(Boolean).join(" ");
  return {
    ...(type !== undefined && { type }),
    ...(title !== undefined && { title }),
    ...(words && { description: words }),
    ...(values !== undefined && { enum: values }),
    ...(value !== undefined && { const: value }),
    ...shape(schema, path, writing),
    ...limits,
    ...(isObject($defs) && { $defs: writeAll($defs, "$defs", writing) }),
    ...(isObject(definitions) && { definitions: writeAll(definitions, "definitions", writing) }),
  };
}

/** The keywords that the provider knows, and in words those that it does not. */
function limitsOf(
  schema: JsonSchema,
  dialect: StrictDialect,
): { readonly limits: JsonSchema; readonly notes: string } {
  const limits: [string, unknown][] = [];
  const notes: string[] = [];
  for (const [keyword, operand] of Object.entries(schema)) {
    const operands = Object.hasOwn(dialect.limits, keyword) ? dialect.limits[keyword] : [];
    if (operands === true || operands?.includes(operand)) limits.push([keyword, operand]);
    else if (!structural.has(keyword)) notes.push(`${keyword}: ${JSON.stringify(operand)}`);
  }
  return { limits: Object.fromEntries(limits), notes: notes.join(", ") };
}

/** The keywords that say of what a value is made. */
function shape(schema: JsonSchema, path: string, writing: Writing): JsonSchema {
  const { $ref, type, anyOf, oneOf = anyOf } = schema;
  if (typeof $ref === "string") {
    if (!writing.dialect.allowsRecursion && isRecursive(writing.root, $ref)) {
      throw new NotStrict(`${path} is a recursive type`);
    }
    return Object.keys(schema).length > 1 ? { anyOf: [{ $ref }] } : { $ref };
  }
  if (Array.isArray(oneOf)) {
    return { anyOf: oneOf.map((branch, index) => write(branch, `${path}|${index}`, writing)) };
  }
  if (Object.hasOwn(schema, "enum") || Object.hasOwn(schema, "const")) return {};
  if (type === undefined) throw new NotStrict(`${path} accepts any value`);
  const types = new Set<unknown>([type].flat());
  return {
    ...(types.has("object") && objectShape(schema, path, writing)),
    ...(types.has("array") && arrayShape(schema, path, writing)),
  };
}

function objectShape(schema: JsonSchema, path: string, writing: Writing): JsonSchema {
  const { properties, required, additionalProperties = false, patternProperties } = schema;
  if (!isObject(properties) || additionalProperties !== false || patternProperties !== undefined) {
    throw new NotStrict(`${path} accepts any keys`);
  }
  const { requiresAll } = writing.dialect;
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  const strictProperties = writeAll(properties, path, writing);
  const entries = Object.entries(strictProperties).map(([name, property]) => [
    name,
    requiresAll && !needed.includes(name) ? nullable(property) : property,
  ]);
  return {
    properties: Object.fromEntries(entries),
    required: Object.keys(strictProperties).filter((name) => requiresAll || needed.includes(name)),
    additionalProperties: false,
  };
}

/** A tuple becomes an array whose items may be any of its elements; the description says at which places. */
function arrayShape({ items, prefixItems }: JsonSchema, path: string, writing: Writing): JsonSchema {
  const elements: readonly unknown[] = Array.isArray(prefixItems) ? prefixItems : [];
  const all = items === undefined || items === false ? elements : [...elements, items];
  const strictElements = all.map((element) => write(element, `${path}[]`, writing));
  const distinct = [...new Map(strictElements.map((element) => [JSON.stringify(element), element])).values()];
  if (distinct.length === 0) throw new NotStrict(`${path} accepts any items`);
  return { items: distinct.length > 1 ? { anyOf: distinct } : distinct[0] };
}

/** Whether what a reference names refers to itself, directly or not. */
function isRecursive(root: JsonSchema, reference: string): boolean {
  const reached = new Set<string>();
  const follow = (from: string): void => {
    const text = JSON.stringify(resolvePointer(root, from) ?? null);
    for (const [, to = ""] of text.matchAll(/"\$ref":"(.*?)"/g)) reached.add(to);
  };
  follow(reference);
  // A set that grows while it is walked.
  for (const each of reached) follow(each);
  return reached.has(reference);
}

function writeAll(table: JsonSchema, path: string, writing: Writing): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(
    Object.entries(table).map(([key, value]) => [key, write(value, `${path}.${key}`, writing)]),
  );
}

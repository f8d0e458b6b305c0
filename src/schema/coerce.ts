import type { CheckState, Compilation, SchemaNode } from "./check.ts";
import { accepts, newState } from "./check.ts";
import { compilationOf } from "./compile-schema.ts";
import { isObject } from "./json-value.ts";
import { patternOperand } from "./keywords/operands.ts";
import { readingOf } from "./readings.ts";
import type { JsonSchema } from "./types.ts";

/** The deepest place that is mended; parsed arguments are never deeper. */
const maxDepth = 200;

/** The most places looked at in one value: unions that recurse multiply. */
const maxSteps = 100_000;

interface Mending {
  readonly compilation: Compilation;
  readonly state: CheckState;
  steps: number;
}

/**
 * Mends what a model wrote in the wrong form, where nothing is lost by it: a number as a string and the reverse, `"true"`
 * and `"false"`, one scalar instead of an array of one, an object or array as JSON text, an enum's value in other case or
 * with spaces around it, `null` for an optional property. Whatever fits already, or cannot be mended, stays as it is.
 * Returns a new value where something changed, else `value` itself, which is never modified.
 * Throws a `ConfigurationError` (code `"invalid-schema"`).
 */
export function coerce(jsonSchema: JsonSchema, value: unknown): unknown {
  const compilation = compilationOf(jsonSchema);
  const mending: Mending = { compilation, state: newState(), steps: 0 };
  return mend(compilation.compile(jsonSchema), value, 0, mending);
}

function mend(node: SchemaNode, value: unknown, depth: number, mending: Mending): unknown {
  const { schema } = node;
  if (typeof schema === "boolean" || depth > maxDepth || ++mending.steps > maxSteps) return value;
  if (accepts(node, value, mending.state)) return value;

  let mended = value;
  for (const part of partsOf(schema, mending.compilation)) mended = mend(part, mended, depth + 1, mending);
  for (const keyword of ["anyOf", "oneOf"]) mended = mendUnion(schema[keyword], mended, depth, mending);
  mended = reread(node, schema, mended, depth, mending);
  if (Array.isArray(mended)) return mendItems(schema, mended, depth, mending);
  return isObject(mended) ? mendProperties(schema, mended, depth, mending) : mended;
}

/** The schemas that hold beside `schema` itself. */
function partsOf(schema: JsonSchema, compilation: Compilation): SchemaNode[] {
  const { $ref, allOf } = schema;
  const target = typeof $ref === "string" ? [compilation.resolve($ref)] : [];
  const parts: readonly unknown[] = Array.isArray(allOf) ? allOf : [];
  return [...target, ...parts.map((part) => compilation.compile(part))];
}

/**
 * The value as the first branch has it that takes it once mended. A form that need not make an array of it is preferred;
 * two different texts (values that differ in case only) decide nothing.
 */
function mendUnion(operand: unknown, value: unknown, depth: number, mending: Mending): unknown {
  if (!Array.isArray(operand)) return value;
  const nodes = operand.map((branch: unknown) => mending.compilation.compile(branch));
  if (nodes.some((node) => accepts(node, value, mending.state))) return value;
  const forms = nodes.flatMap((node) => {
    const mended = mend(node, value, depth + 1, mending);
    return mended !== value && accepts(node, mended, mending.state) ? [mended] : [];
  });
  const texts = new Set(forms.filter((form) => typeof form === "string"));
  if (texts.size > 1) return value;
  return forms.find((form) => !Array.isArray(form)) ?? forms[0] ?? value;
}

/** The value in the form that the schema's own `type`, `enum` or `const` asks for. */
function reread(
  node: SchemaNode,
  schema: JsonSchema,
  value: unknown,
  depth: number,
  mending: Mending,
): unknown {
  const reading = readingOf(schema, value);
  if (reading === undefined) return value;
  if (reading.tentative !== true) return reading.value;
  const mended = mend(node, reading.value, depth + 1, mending);
  return accepts(node, mended, mending.state) ? mended : value;
}

function mendItems(schema: JsonSchema, items: readonly unknown[], depth: number, mending: Mending): unknown {
  const { compilation } = mending;
  const prefix: readonly unknown[] = Array.isArray(schema["prefixItems"]) ? schema["prefixItems"] : [];
  const rest = schema["items"];
  let changed = false;
  const mended = items.map((item, index) => {
    const itemSchema = index < prefix.length ? prefix[index] : Array.isArray(rest) ? rest[index] : rest;
    if (itemSchema === undefined) return item;
    const result = mend(compilation.compile(itemSchema), item, depth + 1, mending);
    changed ||= result !== item;
    return result;
  });
  return changed ? mended : items;
}

function mendProperties(
  schema: JsonSchema,
  object: Readonly<Record<string, unknown>>,
  depth: number,
  mending: Mending,
): unknown {
  const required: readonly unknown[] = Array.isArray(schema["required"]) ? schema["required"] : [];
  let changed = false;
  const entries = Object.entries(object).flatMap(([key, value]): [string, unknown][] => {
    const { named, nodes } = propertyNodes(schema, key, mending.compilation);
    const mended = nodes.reduce<unknown>((result, node) => mend(node, result, depth + 1, mending), value);
    changed ||= mended !== value;
    const refused = mended === null && nodes.some((node) => !accepts(node, null, mending.state));
    if (!refused || !named || required.includes(key)) return [[key, mended]];
    changed = true;
    return [];
  });
  return changed ? Object.fromEntries(entries) : object;
}

/** The schemas of one property, and whether `properties` names it. */
export function propertyNodes(
  schema: JsonSchema,
  key: string,
  compilation: Compilation,
): { readonly named: boolean; readonly nodes: readonly SchemaNode[] } {
  const { properties, patternProperties, additionalProperties } = schema;
  const named = isObject(properties) && Object.hasOwn(properties, key);
  const nodes = named ? [compilation.compile(properties[key])] : [];
  if (isObject(patternProperties)) {
    for (const [pattern, schema] of Object.entries(patternProperties)) {
      if (patternOperand("patternProperties", pattern, compilation).test(key))
        nodes.push(compilation.compile(schema));
    }
  }
  if (nodes.length === 0 && additionalProperties !== undefined) {
    nodes.push(compilation.compile(additionalProperties));
  }
  return { named, nodes };
}

import type { CheckState, Compilation, SchemaNode } from "./check.ts";
import { accepts, newState } from "./check.ts";
import { compilationOf } from "./compile-schema.ts";
import { jsonEqual } from "./json-value.ts";
import { respelledNumbers } from "./lossless.ts";
import { propertyNodes } from "./property-nodes.ts";
import { readingOf } from "./readings.ts";
import type { JsonSchema } from "./types.ts";
import { isObject } from "../base/util/json.ts";

/** The deepest place that is mended. */
const maxDepth = 200;

/** The values that may be looked at, counted at each look, since unions that recurse multiply: this number for each value of the input. */
const workPerValue = 10;

/** And this number in any case. */
const leastWork = 500_000;

interface Mending {
  readonly compilation: Compilation;
  readonly state: CheckState;
  readonly respelled: ReadonlySet<number>;
  readonly sizes: WeakMap<object, number>;
  /** How many values may still be looked at. */
  work: number;
}

/**
 * Mends what a model wrote in the wrong form, where nothing is lost by it: a number as a string and the reverse, `"true"`
 * and `"false"`, one scalar instead of an array of one, an object or array as JSON text, an enum's value in other case or
 * with spaces around it, `null` for an optional property. Whatever fits already, or cannot be mended in one way only, stays
 * as it is. Returns a new value where something changed, else `value` itself, which is never modified.
 * Throws a `ConfigurationError` (code `"invalid-schema"`).
 * @param sourceText - The text that `value` was read from: a number that is spelled in another way there is made no text.
 */
export function coerce(jsonSchema: JsonSchema, value: unknown, sourceText = ""): unknown {
  const compilation = compilationOf(jsonSchema);
  const sizes = new WeakMap<object, number>();
  const mending: Mending = {
    compilation,
    state: newState(),
    respelled: respelledNumbers(sourceText),
    sizes,
    work: leastWork + workPerValue * sizeOf(value, sizes),
  };
  const mended = mend(compilation.compile(jsonSchema), value, 0, mending);
  // Where some verdict was not reached, none counts.
  return isExhausted(mending) ? value : mended;
}

function isExhausted({ work, state }: Mending): boolean {
  return work < 0 || state.steps < 0;
}

/** Whether a value fits, if there is still time to find out. */
function fits(node: SchemaNode, value: unknown, mending: Mending): boolean {
  mending.work -= sizeOf(value, mending.sizes);
  return isExhausted(mending) || accepts(node, value, mending.state);
}

/** How many values there are in a value; long texts count more, since they may be parsed. */
function sizeOf(value: unknown, sizes: WeakMap<object, number>): number {
  if (typeof value === "string") return 1 + value.length / 16;
  if (typeof value !== "object" || value === null) return 1;
  const cached = sizes.get(value);
  if (cached !== undefined) return cached;
  const size = Object.values(value).reduce<number>((sum, member) => sum + sizeOf(member, sizes), 1);
  sizes.set(value, size);
  return size;
}

function mend(node: SchemaNode, value: unknown, depth: number, mending: Mending): unknown {
  const { schema } = node;
  if (typeof schema === "boolean" || depth > maxDepth || fits(node, value, mending)) return value;

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
  const target = typeof $ref === "string" ? [compilation.resolve($ref, schema)] : [];
  const parts: readonly unknown[] = Array.isArray(allOf) ? allOf : [];
  return [...target, ...parts.map((part) => compilation.compile(part))];
}

/** The value in the one form in which some branch takes it; as it is, if there is none or more than one. */
function mendUnion(operand: unknown, value: unknown, depth: number, mending: Mending): unknown {
  if (!Array.isArray(operand)) return value;
  const nodes = operand.map((branch: unknown) => mending.compilation.compile(branch));
  if (nodes.some((node) => fits(node, value, mending))) return value;
  const forms: unknown[] = [];
  for (const node of nodes) {
    const mended = mend(node, value, depth + 1, mending);
    if (mended === value || !fits(node, mended, mending)) continue;
    if (!forms.some((form) => jsonEqual(form, mended))) forms.push(mended);
  }
  // Where one thing and an array of it are the same to a tool, it is one.
  const distinct = forms.filter(
    (form) => !(Array.isArray(form) && forms.some((other) => jsonEqual([other], form))),
  );
  return distinct.length === 1 ? distinct[0] : value;
}

/** The value in the form that the schema's own `type`, `enum` or `const` asks for. */
function reread(
  node: SchemaNode,
  schema: JsonSchema,
  value: unknown,
  depth: number,
  mending: Mending,
): unknown {
  const reading = readingOf(schema, value, mending.respelled);
  if (reading === undefined) return value;
  if (reading.tentative !== true) return reading.value;
  const mended = mend(node, reading.value, depth + 1, mending);
  return fits(node, mended, mending) ? mended : value;
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
    const refused = mended === null && nodes.some((node) => !fits(node, null, mending));
    if (!refused || !named || required.includes(key)) return [[key, mended]];
    changed = true;
    return [];
  });
  return changed ? Object.fromEntries(entries) : object;
}

import type { CheckState, Compilation, SchemaNode } from "./check.ts";
import { accepts, newState } from "./check.ts";
import { compilationOf } from "./compile-schema.ts";
import { jsonEqual } from "./json-value.ts";
import { respelledNumbers } from "./lossless.ts";
import { propertyNodes } from "./property-nodes.ts";
import { readingOf } from "./readings.ts";
import type { JsonSchema } from "./types.ts";
import { isObject } from "../base/util/json.ts";

/** The deepest level at which values are coerced. */
const maxDepth = 200;

/** How often each value of the input may be checked, on average: recursive unions multiply the work. */
const workPerValue = 10;

/** The checks that are allowed for any input, however small. */
const leastWork = 500_000;

interface Mending {
  readonly compilation: Compilation;
  readonly state: CheckState;
  readonly respelled: ReadonlySet<number>;
  readonly sizes: WeakMap<object, number>;
  /** How many checks are left. */
  work: number;
}

/**
 * Converts what a model wrote in the wrong form, where no information is lost: a number as a string and the reverse, `"true"`
 * and `"false"`, one scalar instead of an array of one, an object or array as JSON text, an enum's value in other case or
 * with spaces around it, `null` for an optional property. A value that matches already, or that could be converted in several ways, stays
 * unchanged. Returns a new value where something changed, else `value` itself, which is never modified.
 * Throws a `ConfigurationError` (code `"invalid-schema"`).
 * @param sourceText - The text that `value` was read from. A number whose spelling there differs from `String(number)` is not
 * made a string.
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
  // After the limit of work, some checks are missing: none of the conversions can be trusted.
  return isExhausted(mending) ? value : mended;
}

function isExhausted({ work, state }: Mending): boolean {
  return work < 0 || state.steps < 0 || state.patternSteps < 0;
}

/** Whether a value matches. `true` once the limit of work is reached. */
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
  if (typeof schema === "boolean" || depth > maxDepth || isExhausted(mending) || fits(node, value, mending))
    return value;

  let mended = value;
  for (const part of partsOf(schema, mending.compilation)) mended = mend(part, mended, depth + 1, mending);
  for (const keyword of ["anyOf", "oneOf"]) mended = mendUnion(schema[keyword], mended, depth, mending);
  mended = reread(node, schema, mended, depth, mending);
  if (Array.isArray(mended)) return mendItems(schema, mended, depth, mending);
  return isObject(mended) ? mendProperties(schema, mended, depth, mending) : mended;
}

/** The schemas that apply in addition to `schema` itself. */
function partsOf(schema: JsonSchema, compilation: Compilation): SchemaNode[] {
  const { $ref, allOf } = schema;
  const target = typeof $ref === "string" ? [compilation.resolve($ref, schema)] : [];
  const parts: readonly unknown[] = Array.isArray(allOf) ? allOf : [];
  return [...target, ...parts.map((part) => compilation.compile(part))];
}

/** The value in the one form that some branch accepts; unchanged, if there is none or more than one. */
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
  // If a schema accepts both a value and an array of it, prefer the value.
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
    const { named, nodes } = propertyNodes(schema, key, mending.compilation, mending.state);
    const mended = nodes.reduce<unknown>((result, node) => mend(node, result, depth + 1, mending), value);
    changed ||= mended !== value;
    const refused = mended === null && nodes.some((node) => !fits(node, null, mending));
    if (!refused || !named || required.includes(key)) return [[key, mended]];
    changed = true;
    return [];
  });
  return changed ? Object.fromEntries(entries) : object;
}

import type { JsonSchema } from "../schema/types.ts";
import { canonicalJson } from "../lock/canonical.ts";
import type { SchemaChange, Versions } from "./schema-change.ts";

/** Bounds: a higher one of the first, or a lower one of the second, lets fewer values through. */
const lower = new Set([
  "minimum",
  "exclusiveMinimum",
  "minLength",
  "minItems",
  "minProperties",
  "minContains",
]);
const upper = new Set([
  "maximum",
  "exclusiveMaximum",
  "maxLength",
  "maxItems",
  "maxProperties",
  "maxContains",
]);
/** What a model reads. */
const words = new Set(["description", "title", "default", "examples", "deprecated", "$comment"]);
/** Keywords that are compared elsewhere, or say nothing by themselves. */
const elsewhere = new Set([
  "type",
  "enum",
  "const",
  "properties",
  "required",
  "additionalProperties",
  "items",
  "prefixItems",
  "anyOf",
  "oneOf",
  "$ref",
  "$defs",
  "definitions",
  "$schema",
  "$id",
]);

/** What changed in what a schema says of a value by itself: its type, its values, its bounds, its words. */
export function compareConstraints(versions: Versions, path: string): readonly SchemaChange[] {
  const keywords = new Set([...Object.keys(versions.before), ...Object.keys(versions.after)]);
  const others = [...keywords].filter((keyword) => !elsewhere.has(keyword));
  return [
    ...typeChanges(versions, path),
    ...valueChanges(versions, path),
    ...others.flatMap((keyword) => keywordChanges(keyword, versions, path)),
  ];
}

function typeChanges({ before, after }: Versions, path: string): SchemaChange[] {
  if (typesOf(before) === undefined && typesOf(after) === undefined) return [];
  const [earlier, later] = [typesOf(before) ?? typesOfValues(before), typesOf(after) ?? typesOfValues(after)];
  if (earlier === undefined)
    return [{ path, kind: "narrowed", message: `takes ${later?.join(" or ")} only` }];
  if (later === undefined) return [{ path, kind: "widened", message: "takes any type" }];
  const fits = (type: string, types: readonly string[]): boolean =>
    types.includes(type) || (type === "integer" && types.includes("number"));
  const removed = earlier.filter((type) => !fits(type, later));
  const come = later.filter((type) => !fits(type, earlier));
  return [
    ...removed.map((type): SchemaChange => ({ path, kind: "narrowed", message: `no longer takes ${type}` })),
    ...come.map((type): SchemaChange => ({ path, kind: "widened", message: `also takes ${type}` })),
  ];
}

function typesOf({ type }: JsonSchema): readonly string[] | undefined {
  if (typeof type === "string") return [type];
  return Array.isArray(type) ? type.filter((name) => typeof name === "string") : undefined;
}

/** The types of the values of an enum or a constant, which need not be said. */
function typesOfValues(schema: JsonSchema): readonly string[] | undefined {
  const types = valuesOf(schema)?.map((text) => typeOf(JSON.parse(text)));
  return types && [...new Set(types)];
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}

function valueChanges({ before, after }: Versions, path: string): SchemaChange[] {
  const [earlier, later] = [valuesOf(before), valuesOf(after)];
  if (earlier === undefined && later === undefined) return [];
  if (earlier === undefined) {
    return [{ path, kind: "narrowed", message: `takes ${later?.join(", ")} only` }];
  }
  if (later === undefined) return [{ path, kind: "widened", message: "takes other values, too" }];
  const removed = earlier.filter((value) => !later.includes(value));
  const come = later.filter((value) => !earlier.includes(value));
  if (removed.length + come.length === 0) {
    const isMoved = earlier.join() !== later.join();
    return isMoved ? [{ path, kind: "wording", message: "lists its values in another order" }] : [];
  }
  return [
    ...removed.map((value): SchemaChange => ({
      path,
      kind: "narrowed",
      message: `no longer takes ${value}`,
    })),
    ...come.map((value): SchemaChange => ({ path, kind: "widened", message: `also takes ${value}` })),
  ];
}

/** The values of an enum or a constant, as canonical JSON. */
function valuesOf(schema: JsonSchema): readonly string[] | undefined {
  if (Object.hasOwn(schema, "const")) return [canonicalJson(schema["const"])];
  return Array.isArray(schema["enum"]) ? schema["enum"].map(canonicalJson) : undefined;
}

function keywordChanges(keyword: string, { before, after }: Versions, path: string): SchemaChange[] {
  const [earlier, later] = [before[keyword], after[keyword]];
  if (canonicalJson(earlier ?? null) === canonicalJson(later ?? null)) return [];
  if (words.has(keyword)) return [{ path, kind: "wording", message: rewording(keyword, earlier, later) }];
  const message = `has ${keyword} ${formatValue(later)} where it had ${formatValue(earlier)}`;
  const [takesMore, takesLess] = [isLooser(keyword, earlier, later), isLooser(keyword, later, earlier)];
  const isOther = takesMore === takesLess;
  return [
    ...(takesMore && !isOther ? [] : [{ path, kind: "narrowed", message } as const]),
    ...(takesLess && !isOther ? [] : [{ path, kind: "widened", message } as const]),
  ];
}

function rewording(keyword: string, earlier: unknown, later: unknown): string {
  if (earlier === undefined) return `has a ${keyword} now`;
  if (later === undefined) return `has no ${keyword} any more`;
  return `has another ${keyword}`;
}

/** Whether every value that fitted still fits; where that cannot be decided, the answer is no. */
function isLooser(keyword: string, earlier: unknown, later: unknown): boolean {
  if (later === undefined) return true;
  if (typeof earlier !== "number" || typeof later !== "number") return earlier === true && later === false;
  return (lower.has(keyword) && later < earlier) || (upper.has(keyword) && later > earlier);
}

function formatValue(value: unknown): string {
  return value === undefined ? "none" : canonicalJson(value);
}

import type { JsonSchema } from "../schema/types.ts";
import { isPlainObject } from "../base/util/json.ts";
import { canonicalJson } from "../lock/canonical.ts";
import { compareProperties } from "./compare-properties.ts";
import { compareConstraints } from "./compare-constraints.ts";
import type { SchemaComparison, SchemaChange, Versions } from "./schema-change.ts";
import { resolved } from "./schema-parts.ts";

/** What changed from one version of a schema to another, in the order of the later one. */
export function compareSchemas(before: JsonSchema, after: JsonSchema): readonly SchemaChange[] {
  return compare(before, after, "", { roots: { before, after }, open: new Set(), compare });
}

function compare(
  before: unknown,
  after: unknown,
  path: string,
  comparison: SchemaComparison,
): SchemaChange[] {
  const schemas = { before: asSchema(before), after: asSchema(after) };
  const references = [schemas.before["$ref"], schemas.after["$ref"]];
  const isReference = references.some((reference) => reference !== undefined);
  const pair = JSON.stringify(references);
  if (isReference && comparison.open.has(pair)) return [];
  const deeper = isReference ? { ...comparison, open: new Set([...comparison.open, pair]) } : comparison;
  const versions = {
    before: resolved(schemas.before, comparison.roots.before),
    after: resolved(schemas.after, comparison.roots.after),
  };
  if (isUnion(versions.before) || isUnion(versions.after)) return compareUnions(versions, path, deeper);
  return [...compareConstraints(versions, path), ...compareProperties(versions, path, deeper)];
}

/** `true` is the schema that takes all, `false` the one that takes nothing. */
function asSchema(value: unknown): JsonSchema {
  if (isPlainObject(value)) return value;
  return value === false ? { not: {} } : {};
}

function isUnion(schema: JsonSchema): boolean {
  return Array.isArray(schema["anyOf"]) || Array.isArray(schema["oneOf"]);
}

/** Alternatives are told apart by what they take: one that changed is one that went and one that came. */
function compareUnions(versions: Versions, path: string, comparison: SchemaComparison): SchemaChange[] {
  const before = alternatives(versions.before);
  const after = alternatives(versions.after);
  const isIn = (list: readonly JsonSchema[], one: JsonSchema, isBefore: boolean): boolean =>
    list.some((other) => {
      const [earlier, later] = isBefore ? [other, one] : [one, other];
      return comparison.compare(earlier, later, path, comparison).every(({ kind }) => kind === "wording");
    });
  const removed = before.filter((one) => !isIn(after, one, false));
  const come = after.filter((one) => !isIn(before, one, true));
  const [only, replaced] = [come[0], removed[0]];
  if (removed.length === 1 && come.length === 1 && only && replaced) {
    return comparison.compare(replaced, only, path, comparison);
  }
  return [
    ...removed.map((one): SchemaChange => ({
      path,
      kind: "narrowed",
      message: `no longer takes ${name(one)}`,
    })),
    ...come.map((one): SchemaChange => ({ path, kind: "widened", message: `also takes ${name(one)}` })),
    ...wording(versions, path),
  ];
}

function alternatives(schema: JsonSchema): readonly JsonSchema[] {
  const { anyOf, oneOf } = schema;
  const list = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : [schema];
  return list.map(asSchema);
}

function wording({ before, after }: Versions, path: string): SchemaChange[] {
  const same = canonicalJson(before["description"]) === canonicalJson(after["description"]);
  return same ? [] : [{ path, kind: "wording", message: "has another description" }];
}

function name(schema: JsonSchema): string {
  const { type, title, $ref: reference } = schema;
  if (typeof reference === "string") return reference.slice(reference.lastIndexOf("/") + 1);
  if (typeof title === "string") return title;
  const text = canonicalJson(schema);
  return typeof type === "string" && text.length > 60 ? `that ${type}` : text;
}

import type { CheckState, Compilation } from "./check.ts";
import { accepts, newState } from "./check.ts";
import { compilationOf } from "./compile-schema.ts";
import type { RevivedType } from "./function-schema.ts";
import { propertyNodes } from "./property-nodes.ts";
import { resolvePointer } from "./references.ts";
import type { Issue, JsonSchema, Schema } from "./types.ts";
import { isObject } from "../base/util/json.ts";

/** What travels along one revival. */
interface Revival {
  readonly compilation: Compilation;
  /** The types, by the subschemas that describe them. */
  readonly types: ReadonlyMap<unknown, RevivedType>;
  readonly issues: Issue[];
  readonly state: CheckState;
}

type Path = readonly (string | number)[];

/**
 * `schema`, whose valid values are then made what the function declares: `Date`, bigint, `URL`, `Uint8Array`, `Set`, `Map`.
 * A value that fits the schema and still cannot be converted (a leap second, for `Date`) is an issue.
 * @param places - The types by the places of their schemas, as in `FunctionSchema`.
 */
export function revived(schema: Schema, places: Readonly<Record<string, RevivedType>>): Schema {
  const { jsonSchema } = schema;
  const types = new Map(
    Object.entries(places).map(([place, type]) => [resolvePointer(jsonSchema, place), type]),
  );
  return {
    jsonSchema,
    validate(input) {
      const validation = schema.validate(input);
      if (!validation.ok) return validation;
      const issues: Issue[] = [];
      const value = revive(jsonSchema, validation.value, [], {
        compilation: compilationOf(jsonSchema),
        types,
        issues,
        state: newState(),
      });
      return issues.length > 0 ? { ok: false, issues } : { ok: true, value };
    },
  };
}

/** The value that a valid `value` stands for; what cannot be made is an issue. Never changes `value`. */
function revive(schema: unknown, value: unknown, path: Path, revival: Revival): unknown {
  if (!isObject(schema) || value === null) return value;
  const within = reviveWithin(schema, value, path, revival);
  const type = revival.types.get(schema);
  if (type === undefined) return within;
  const pairs: readonly unknown[] = type === "map" && Array.isArray(within) ? within : [];
  const repeated = repeatedKey(pairs);
  if (repeated !== -1) {
    const message = "has a key that another pair has. Write each key once";
    revival.issues.push({ path: [...path, repeated], message, received: pairs[repeated] });
    return value;
  }
  try {
    return make(type, within, (key) => revive(schema["propertyNames"], key, path, revival));
  } catch {
    revival.issues.push({ path, message: `is not a valid ${type} value`, received: value });
    return value;
  }
}

/** The place of the first pair whose key a pair before it has, or -1. */
function repeatedKey(pairs: readonly unknown[]): number {
  const keys = new Set<unknown>();
  return pairs.findIndex((pair) => Array.isArray(pair) && keys.size === keys.add(pair[0]).size);
}

function reviveWithin(schema: JsonSchema, value: unknown, path: Path, revival: Revival): unknown {
  const { $ref: reference, anyOf, prefixItems, items } = schema;
  const { compilation } = revival;
  if (typeof reference === "string") {
    return revive(compilation.resolve(reference).schema, value, path, revival);
  }
  if (Array.isArray(anyOf)) return reviveUnion(anyOf, value, path, revival);
  if (Array.isArray(value)) {
    const first: readonly unknown[] = Array.isArray(prefixItems) ? prefixItems : [];
    return value.map((item, index) => revive(first[index] ?? items, item, [...path, index], revival));
  }
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, item]) => {
    const { nodes } = propertyNodes(schema, key, compilation, revival.state);
    return [
      key,
      nodes.reduce((current, node) => revive(node.schema, current, [...path, key], revival), item),
    ];
  });
  return Object.fromEntries(entries);
}

/** As the first branch has it that takes the value and can make something of it. */
function reviveUnion(branches: readonly unknown[], value: unknown, path: Path, revival: Revival): unknown {
  const branchIssues: Issue[] = [];
  for (const branch of branches) {
    if (!accepts(revival.compilation.compile(branch), value, newState())) continue;
    const issues: Issue[] = [];
    const revivedValue = revive(branch, value, path, { ...revival, issues });
    if (issues.length === 0) return revivedValue;
    branchIssues.push(...issues);
  }
  revival.issues.push(...branchIssues);
  return value;
}

/** What a whole value of JSON stands for, as `revived` makes it; its members stay as they are. */
export function reviveWhole(type: RevivedType, value: unknown): unknown {
  return make(type, value, (key) => key);
}

/** Throws where the value says nothing of that type. */
function make(type: RevivedType, value: unknown, makeKey: (key: string) => unknown): unknown {
  if (Array.isArray(value)) return type === "set" ? new Set(value) : new Map(value);
  if (isObject(value)) return new Map(Object.entries(value).map(([key, item]) => [makeKey(key), item]));
  const text = String(value);
  // An impossible date does not throw until it is written.
  if (type === "date") return new Date(new Date(text).toISOString());
  if (type === "bigint") return BigInt(text);
  if (type === "url") return new URL(text);
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

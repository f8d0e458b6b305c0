import type { Compilation } from "./check.ts";
import { compilationOf } from "./compile-schema.ts";
import { newState } from "./check.ts";
import { patternOperand } from "./keywords/operands.ts";
import type { Pattern } from "./patterns/types.ts";
import type { JsonSchema } from "./types.ts";
import { isObject } from "../base/util/json.ts";

/** Schemas of one value: it fits one of them, or all. */
export type Alternatives = readonly unknown[];

/** What the schemas of a value say of its members. */
export interface DescribedMembers {
  /** The names of properties, in the order of the schemas. */
  readonly names: readonly string[];
  /** The schemas of a property; `undefined` if there is none of that name. */
  property(name: string): Alternatives | undefined;
  /** The schemas of an array's item. */
  item(index: number): Alternatives;
}

/** Everything that one value's schemas say. */
interface Members {
  readonly properties: Map<string, unknown[]>;
  readonly patterns: (readonly [Pattern, unknown])[];
  /** The schemas of properties without a name, such as those of a record. */
  readonly others: unknown[];
  readonly items: Set<JsonSchema>;
  /** Any object is taken: a schema says nothing of properties. */
  isOpen: boolean;
}

/** What a schema says of objects: their properties, that any will do, or that there are none. */
type Says = "properties" | "anything" | "nothing";

/** Schemas that say nothing: the value may be anything. */
export const anything: Alternatives = [true];

/**
 * What `schemas`, which stand in `root`, say of a value's members. An object that names properties has those alone, unless it
 * says what else there may be (`additionalProperties`, `patternProperties`): what is left unsaid is not a property.
 * @throws ConfigurationError for a reference that names nothing.
 */
export function describeMembers(schemas: Alternatives, root: JsonSchema): DescribedMembers {
  const members: Members = {
    properties: new Map(),
    patterns: [],
    others: [],
    items: new Set(),
    isOpen: false,
  };
  const visit = visitor(members, compilationOf(root));
  for (const schema of schemas) if (visit(schema) === "anything") members.isOpen = true;
  const { properties, patterns, others, items, isOpen } = members;
  const itemsByPlace = new Map<number, Alternatives>();
  const longestPrefix = Math.max(0, ...[...items].map((schema) => firstItems(schema).length));
  return {
    names: [...properties.keys()],
    property(name) {
      const named = properties.get(name) ?? [];
      const matching = patterns.flatMap(([pattern, schema]) =>
        pattern.test(name, newState()) ? [schema] : [],
      );
      // The same list for the same property: what is worked out of it is remembered by it.
      if (named.length > 0) return matching.length > 0 ? [...named, ...matching] : named;
      if (matching.length > 0) return matching;
      if (others.length > 0) return others;
      return isOpen ? anything : undefined;
    },
    item(index) {
      const place = Math.min(index, longestPrefix);
      const schemas = itemsByPlace.get(place) ?? itemSchemas(items, place);
      itemsByPlace.set(place, schemas);
      return schemas;
    },
  };
}

function visitor(members: Members, compilation: Compilation): (schema: unknown) => Says {
  const visited = new Set<unknown>();

  function visit(schema: unknown): Says {
    if (schema === true) return "anything";
    if (!isObject(schema) || visited.has(schema)) return "nothing";
    visited.add(schema);
    members.items.add(schema);
    const own = [addProperties(schema, members, compilation), ...conjuncts(schema, compilation).map(visit)];
    const branches = alternatives(schema).map(visit);
    if (own.includes("properties")) return "properties";
    if (branches.length > 0) return branches.find((says) => says !== "nothing") ?? "nothing";
    return takesObjects(schema) ? "anything" : "nothing";
  }

  return visit;
}

/** The schemas that hold for the same value, if only on a condition. */
function conjuncts(schema: JsonSchema, compilation: Compilation): unknown[] {
  const { $ref, $dynamicRef, allOf, if: condition, then, else: otherwise, dependentSchemas } = schema;
  const references = [$ref, $dynamicRef].filter((reference) => typeof reference === "string");
  const targets = references.map((reference) => compilation.resolve(reference, schema).schema);
  return [...targets, ...listOf(allOf), condition, then, otherwise, ...valuesOf(dependentSchemas)];
}

/** Whether `schemas`, which stand in `root`, say what takes the place of a value that is left out: null stands for nothing. */
export function stateDefault(schemas: Alternatives, root: JsonSchema): boolean {
  const compilation = compilationOf(root);
  const visited = new Set<unknown>();
  const states = (schema: unknown): boolean => {
    if (!isObject(schema) || visited.has(schema)) return false;
    visited.add(schema);
    const { default: stated } = schema;
    if (stated !== undefined && stated !== null) return true;
    return [...conjuncts(schema, compilation), ...alternatives(schema)].some(states);
  };
  return schemas.some(states);
}

function alternatives({ anyOf, oneOf }: JsonSchema): unknown[] {
  return [...listOf(anyOf), ...listOf(oneOf)];
}

function addProperties(schema: JsonSchema, members: Members, compilation: Compilation): Says {
  const { properties, patternProperties, required, additionalProperties, unevaluatedProperties } = schema;
  const others = [additionalProperties, unevaluatedProperties].filter((other) => other !== undefined);
  if (properties === undefined && patternProperties === undefined && others.length === 0) return "nothing";
  const add = (name: string, described: unknown): void => {
    members.properties.set(name, [...(members.properties.get(name) ?? []), described]);
  };
  for (const [name, described] of entriesOf(properties)) add(name, described);
  for (const name of listOf(required))
    if (typeof name === "string" && !members.properties.has(name)) add(name, true);
  for (const [pattern, described] of entriesOf(patternProperties))
    members.patterns.push([patternOperand(pattern, compilation), described]);
  members.others.push(...others.filter((other) => other !== false));
  return "properties";
}

/** Whether an object without any particular property may fit, as far as the schema itself says. */
function takesObjects(schema: JsonSchema): boolean {
  const { type, enum: values = [schema["const"]] } = schema;
  if (("enum" in schema || "const" in schema) && !listOf(values).some(isObject)) return false;
  return type === undefined || type === "object" || (Array.isArray(type) && type.includes("object"));
}

function itemSchemas(schemas: ReadonlySet<JsonSchema>, index: number): Alternatives {
  const matches = [...schemas].flatMap((schema) => {
    const { items, additionalItems } = schema;
    const first = firstItems(schema);
    return (index < first.length ? first[index] : Array.isArray(items) ? additionalItems : items) ?? [];
  });
  return matches.length > 0 ? matches : anything;
}

/** Draft 7 has its first items in `items`. */
function firstItems({ prefixItems, items }: JsonSchema): readonly unknown[] {
  return Array.isArray(items) ? items : listOf(prefixItems);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function entriesOf(value: unknown): [string, unknown][] {
  return isObject(value) ? Object.entries(value) : [];
}

function valuesOf(value: unknown): unknown[] {
  return isObject(value) ? Object.values(value) : [];
}

import { newState, type Compilation, type SchemaNode } from "./check.ts";
import { compilationOf } from "./compile-schema.ts";
import { jsonEqual } from "./json-value.ts";
import type { Unclosed, ValuePath } from "./parse-json.ts";
import type { Issue, JsonSchema, Validation } from "./types.ts";
import { isObject } from "../base/util/json.ts";

const problem = "not valid JSON: the text ends before";

/** Whether an issue is one of `checkClosed`. */
export function isUnclosed({ message }: Issue): boolean {
  return message.startsWith(problem);
}

/**
 * A failure if, by the schema, more could follow where a closing bracket is missing: a text that was cut looks like one whose
 * bracket was forgotten. `undefined` where nothing could follow, and nothing can be lost.
 */
export function checkClosed(
  jsonSchema: JsonSchema,
  value: unknown,
  unclosed: Unclosed | undefined,
): Validation<never> | undefined {
  if (!unclosed) return undefined;
  const compilation = compilationOf(jsonSchema);
  const root = compilation.compile(jsonSchema);
  const path = unclosed.paths.find((place) => !isFull(root, value, place, compilation));
  if (!path) return undefined;
  const expected = Array.isArray(path.reduce<unknown>(memberOf, value)) ? '"]"' : '"}"';
  const message = `${problem} ${expected}, and more could follow there; send all of it again ${unclosed.where}`;
  return { ok: false, issues: [{ path, message, expected }] };
}

/**
 * Whether it is certain that nothing can follow within what stands at `path` of `value`.
 * @param verdicts - Of the schemas at this place of the value: each is examined once, and `false` while it is examined.
 */
function isFull(
  node: SchemaNode,
  value: unknown,
  path: ValuePath,
  compilation: Compilation,
  verdicts = new Map<SchemaNode, boolean>(),
): boolean {
  const keywords = keywordsOf(node);
  if (keywords === undefined) return node.schema === false;
  const earlier = verdicts.get(node);
  if (earlier !== undefined) return earlier;
  verdicts.set(node, false);
  const isFullBy = (part: SchemaNode): boolean => isFull(part, value, path, compilation, verdicts);
  const isVerdict =
    partsOf(node, keywords, compilation).some(isFullBy) ||
    [keywords["anyOf"], keywords["oneOf"]].some((branches) => {
      const possible = nodesOf(branches, compilation).filter((branch) => canHold(branch, value, compilation));
      return possible.length > 0 && possible.every(isFullBy);
    }) ||
    isFullByMembers(keywords, value, path, compilation);
  verdicts.set(node, isVerdict);
  return isVerdict;
}

function isFullByMembers(
  keywords: JsonSchema,
  value: unknown,
  [key, ...rest]: ValuePath,
  compilation: Compilation,
): boolean {
  if (key === undefined)
    return isObject(value) ? isFullObject(keywords, value) : isFullArray(keywords, value);
  const member = memberSchema(keywords, key);
  return member !== undefined && isFull(compilation.compile(member), memberOf(value, key), rest, compilation);
}

function isFullObject(keywords: JsonSchema, value: Readonly<Record<string, unknown>>): boolean {
  const { properties = {}, patternProperties = {}, additionalProperties, maxProperties } = keywords;
  if (typeof maxProperties === "number" && Object.keys(value).length >= maxProperties) return true;
  const isClosed = additionalProperties === false && Object.keys(Object(patternProperties)).length === 0;
  return isClosed && Object.keys(Object(properties)).every((name) => Object.hasOwn(value, name));
}

function isFullArray({ maxItems, prefixItems, items, additionalItems }: JsonSchema, value: unknown): boolean {
  if (!Array.isArray(value)) return true;
  if (typeof maxItems === "number" && value.length >= maxItems) return true;
  const first = [items, prefixItems].find((list) => Array.isArray(list)) ?? [];
  const others = Array.isArray(items) ? additionalItems : items;
  return others === false && Array.isArray(first) && value.length >= first.length;
}

/** The schema that a member has by the keywords about members; `undefined` where there is none for sure. */
function memberSchema(keywords: JsonSchema, key: string | number): unknown {
  if (typeof key === "string") {
    const { properties, patternProperties, additionalProperties } = keywords;
    if (isObject(properties) && Object.hasOwn(properties, key)) return properties[key];
    return patternProperties === undefined ? additionalProperties : undefined;
  }
  const { prefixItems, items, additionalItems } = keywords;
  const [first, others] = Array.isArray(items) ? [items, additionalItems] : [prefixItems, items];
  return Array.isArray(first) && key < first.length ? first[key] : others;
}

/** Whether a value could be one of this branch of a union, were it longer: its kind and its literals say so. */
function canHold(branch: SchemaNode, value: unknown, compilation: Compilation, depth = 0): boolean {
  const keywords = keywordsOf(branch);
  if (keywords === undefined) return branch.schema === true;
  const { properties } = keywords;
  return (
    branch.takes(value, newState()) &&
    !Object.entries(isObject(properties) ? properties : {}).some(([name, property]) =>
      isOther(property, memberOf(value, name)),
    ) &&
    (depth > 20 ||
      partsOf(branch, keywords, compilation).every((part) => canHold(part, value, compilation, depth + 1)))
  );
}

/** Whether a value is not the literal, or one of those, that a schema wants. */
function isOther(schema: unknown, value: unknown): boolean {
  if (!isObject(schema) || value === undefined || typeof value === "object") return false;
  const literals = Object.hasOwn(schema, "const") ? [schema["const"]] : schema["enum"];
  return Array.isArray(literals) && !literals.some((literal) => jsonEqual(literal, value));
}

/** What a dialect ignores, as what stands beside `$ref` in draft 7, closes nothing. */
function keywordsOf({ schema, resource }: SchemaNode): JsonSchema | undefined {
  if (typeof schema === "boolean") return undefined;
  return Object.fromEntries(Object.entries(schema).filter(([name]) => resource.knows(name, schema)));
}

/** The schemas that apply in addition. */
function partsOf(
  { schema }: SchemaNode,
  { $ref, allOf }: JsonSchema,
  compilation: Compilation,
): SchemaNode[] {
  const target = typeof $ref === "string" ? [compilation.resolve($ref, schema)] : [];
  return [...target, ...nodesOf(allOf, compilation)];
}

function nodesOf(schemas: unknown, compilation: Compilation): SchemaNode[] {
  return Array.isArray(schemas) ? schemas.map((schema: unknown) => compilation.compile(schema)) : [];
}

function memberOf(value: unknown, key: string | number): unknown {
  if (Array.isArray(value)) return value[Number(key)];
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

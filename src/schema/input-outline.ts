import type { RevivedType } from "./function-schema.ts";
import { resolvePointer } from "./references.ts";
import type { JsonSchema } from "./types.ts";
import { isObject } from "../base/util/json.ts";

/**
 * What a schema of arguments says of two levels, the arguments and their members: enough to tell whether another schema suits the
 * same function. It is a schema itself, and the outline of an outline is the same.
 */
export interface InputOutline extends JsonSchema {
  /** Absent where any type may fit. An integer is a number. */
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, InputOutline>>;
  readonly required?: readonly string[];
  /** `false` where there can be no other properties. */
  readonly additionalProperties?: false;
  /** What the function gets instead of the JSON value. */
  readonly revived?: RevivedType;
}

/** A document, and what values of its parts are turned into before the call. */
interface Source {
  readonly root: JsonSchema;
  readonly revive: Readonly<Record<string, unknown>>;
}

/** References are followed so far. */
const mostReferences = 10;

/** Levels of properties below the arguments themselves. */
const levels = 2;

/** Outlines a schema; `revive` is that of its function. */
export function outlineInput(
  root: JsonSchema,
  revive: Readonly<Record<string, RevivedType>> = {},
): InputOutline {
  return outlineNode({ root, revive }, root, "#", levels);
}

/** The JSON types of values that fit an outline; `undefined` for all. */
export function typesOf({ type }: InputOutline): readonly string[] | undefined {
  return type === undefined ? undefined : [type].flat();
}

function outlineNode(source: Source, schema: JsonSchema, pointer: string, depth: number): InputOutline {
  const target = resolveReference(source, schema, pointer);
  if (target === undefined) return {};
  const own = ownOutline(source, target.schema, target.pointer, depth);
  const joined = ["anyOf", "oneOf"].flatMap((keyword) => {
    const alternatives = outlinesAt(source, target, keyword, depth);
    return alternatives.length === 0 ? [] : [alternatives.reduce(joinAlternatives)];
  });
  const parts = [...joined, ...outlinesAt(source, target, "allOf", depth)];
  // What stands beside a reference says more of its use.
  const { description = target.schema["description"] } = schema;
  return compact({
    ...parts.reduce(joinParts, own),
    ...(typeof description === "string" && { description }),
  });
}

interface Target {
  readonly schema: JsonSchema;
  readonly pointer: string;
}

function resolveReference({ root }: Source, schema: JsonSchema, pointer: string): Target | undefined {
  let target: Target = { schema, pointer };
  for (let steps = 0; typeof target.schema["$ref"] === "string"; steps += 1) {
    const reference = target.schema["$ref"];
    const next = steps < mostReferences ? resolvePointer(root, reference) : undefined;
    if (!isObject(next)) return undefined;
    target = { schema: next, pointer: reference };
  }
  return target;
}

function outlinesAt(
  source: Source,
  { schema, pointer }: Target,
  keyword: string,
  depth: number,
): readonly InputOutline[] {
  const schemas = schema[keyword];
  if (!Array.isArray(schemas)) return [];
  return schemas.map((inner: unknown, index) =>
    isObject(inner) ? outlineNode(source, inner, `${pointer}/${keyword}/${index}`, depth) : {},
  );
}

/** What a schema says without the alternatives and parts that it is joined of. */
function ownOutline(source: Source, schema: JsonSchema, pointer: string, depth: number): InputOutline {
  const { properties, required, additionalProperties, patternProperties } = schema;
  const type = ownTypes(schema);
  const entries = depth > 0 && isObject(properties) ? Object.entries(properties) : undefined;
  const inner = entries?.map(([name, property]) => {
    const place = `${pointer}/properties/${escapeKey(name)}`;
    return [name, isObject(property) ? outlineNode(source, property, place, depth - 1) : {}] as const;
  });
  const names = Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
  const revived = source.revive[pointer] ?? schema["revived"];
  const { default: value } = schema;
  return {
    ...(type && { type }),
    ...(inner && { properties: Object.fromEntries(inner) }),
    ...(inner && { required: names }),
    ...(inner && additionalProperties === false && !patternProperties && { additionalProperties: false }),
    ...(value !== undefined && { default: value }),
    ...(isRevivedType(revived) && { revived }),
  };
}

/** As `revive` of a `FunctionSchema` writes keys. */
function escapeKey(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1").replaceAll("%", "%25");
}

const revivedTypes: Readonly<Record<RevivedType, true>> = {
  date: true,
  bigint: true,
  url: true,
  base64: true,
  set: true,
  map: true,
};

function isRevivedType(value: unknown): value is RevivedType {
  return typeof value === "string" && Object.hasOwn(revivedTypes, value);
}

function ownTypes(schema: JsonSchema): readonly string[] | undefined {
  const { type, enum: values } = schema;
  if (typeof type === "string" || Array.isArray(type)) {
    return [type]
      .flat()
      .filter((name): name is string => typeof name === "string")
      .map((name) => (name === "integer" ? "number" : name));
  }
  if (Array.isArray(values)) return values.map(typeOfJson);
  return Object.hasOwn(schema, "const") ? [typeOfJson(schema["const"])] : undefined;
}

function typeOfJson(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/** A value fits one or the other: it has the properties of either, and must have those that both require. */
function joinAlternatives(one: InputOutline, other: InputOutline): InputOutline {
  const [types, others] = [typesOf(one), typesOf(other)];
  const objects = [one, other].filter((outline) => typesOf(outline)?.includes("object") ?? true);
  const [first, second] = objects;
  const type = types && others && { type: [...types, ...others] };
  // Only what is nothing but such a value gets it for sure.
  if (first === undefined || second === undefined) return { ...membersOf(first ?? {}), ...type };
  if (!first.properties || !second.properties) return { ...type };
  const names = Object.keys({ ...first.properties, ...second.properties });
  const properties = names.map((name) => {
    const [left, right] = [first.properties?.[name], second.properties?.[name]];
    return [name, left && right ? joinAlternatives(left, right) : (left ?? right ?? {})] as const;
  });
  const isClosed = first.additionalProperties === false && second.additionalProperties === false;
  return {
    ...type,
    properties: Object.fromEntries(properties),
    required: (first.required ?? []).filter((name) => second.required?.includes(name)),
    ...(isClosed && { additionalProperties: false }),
  };
}

/** A value fits both. */
function joinParts(one: InputOutline, other: InputOutline): InputOutline {
  const [types, others] = [typesOf(one), typesOf(other)];
  const type = types && others ? types.filter((name) => others.includes(name)) : (types ?? others);
  const properties = (one.properties || other.properties) && { ...one.properties, ...other.properties };
  const isClosed = one.additionalProperties === false || other.additionalProperties === false;
  return {
    ...one,
    ...(type && { type }),
    ...(properties && { properties }),
    required: [...(one.required ?? []), ...(other.required ?? [])],
    ...(properties && isClosed && { additionalProperties: false }),
  };
}

function membersOf({ properties, required, additionalProperties }: InputOutline): InputOutline {
  return {
    ...(properties && { properties }),
    ...(required && { required }),
    ...(additionalProperties === false && { additionalProperties }),
  };
}

/** One type as a text, no empty lists: as short as can be, since builds write it. */
function compact({ type, required, ...rest }: InputOutline): InputOutline {
  const types = [...new Set([type ?? []].flat())];
  const [only = ""] = types;
  return {
    ...(type !== undefined && { type: types.length === 1 ? only : types }),
    ...rest,
    ...(required && required.length > 0 && { required: [...new Set(required)] }),
  };
}

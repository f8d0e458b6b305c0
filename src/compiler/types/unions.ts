import type { JsonSchema } from "../../schema/types.ts";
import type { Host, Type } from "../host.ts";
import { has, type Conversion, type Place } from "./conversion.ts";
import { inDeclaredOrder, type WrittenMember } from "./declared-order.ts";

/** A union: literals become one `enum`, bare primitives one list of types, everything else an `anyOf`. */
export function unionSchema(conversion: Conversion, union: Type, place: Place): JsonSchema {
  const { host } = conversion;
  const { flags } = host;
  const members = inDeclaredOrder(host, union, place.written).filter(
    ({ type }) => !has(type, flags.Undefined | flags.Void),
  );
  const isNullable = members.some(({ type }) => has(type, flags.Null));
  const present = members.filter(({ type }) => !has(type, flags.Null));
  const values = literalsOf(host, present);
  const schemas = present.map(({ type, written }) => {
    const value = host.literalValue(type);
    if (value === undefined || typeof value === "bigint")
      return conversion.convert(type, { ...place, written });
    return values.includes(value) ? literalSchema(values) : { type: "boolean" };
  });
  return joined(isNullable ? [...schemas, { type: "null" }] : schemas);
}

/** The literals among a union's members, but for `true` and `false` together, which are a type. */
function literalsOf(host: Host, members: readonly WrittenMember[]): readonly (string | number | boolean)[] {
  const values = members.flatMap(({ type }) => {
    const value = host.literalValue(type);
    return value === undefined || typeof value === "bigint" ? [] : [value];
  });
  const hasBoth = values.includes(true) && values.includes(false);
  return hasBoth ? values.filter((value) => typeof value !== "boolean") : values;
}

/** The schema of literals: `const` for one, `enum` for several. */
export function literalSchema(values: readonly (string | number | boolean | null)[]): JsonSchema {
  const types = [...new Set(values.map((value) => (value === null ? "null" : typeof value)))];
  const type = types.length === 1 ? types[0] : types;
  return values.length === 1 ? { type, const: values[0] } : { type, enum: values };
}

/** One schema that accepts what any of `schemas` accepts, as flat as JSON Schema allows. */
function joined(members: readonly JsonSchema[]): JsonSchema {
  const schemas = [...new Map(members.map((schema) => [JSON.stringify(schema), schema])).values()];
  const [first, second] = schemas;
  if (first === undefined) return {};
  if (second === undefined) return first;
  if (schemas.every(isBareType)) return { type: schemas.flatMap((schema) => schema["type"]) };
  if (schemas.length === 2 && second["type"] === "null") return withNull(first) ?? { anyOf: schemas };
  return { anyOf: schemas };
}

/** `schema` with `null` allowed, where that can be said without `anyOf`. */
function withNull(schema: JsonSchema): JsonSchema | undefined {
  const { type, enum: values, const: value, anyOf, ...rest } = schema;
  if (Array.isArray(values)) return { type: [type, "null"].flat(), enum: [...values, null] };
  if (value !== undefined) return { type: [type, "null"].flat(), enum: [value, null] };
  if (anyOf !== undefined || typeof type !== "string") return undefined;
  return { type: [type, "null"], ...rest };
}

function isBareType(schema: JsonSchema): boolean {
  return typeof schema["type"] === "string" && Object.keys(schema).length === 1;
}

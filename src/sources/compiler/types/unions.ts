import type { JsonSchema } from "../../../schema/types.ts";
import type { Host, Type } from "../host.ts";
import type { AttemptFinding } from "./attempts.ts";
import { contextProblem } from "../tool-context.ts";
import { holdsContext } from "./context-within.ts";
import { has, type Conversion, type TypePlace } from "./conversion.ts";
import { withEnumNames } from "./enum-names.ts";
import { inDeclaredOrder, type WrittenMember } from "./declared-order.ts";
import { isNever } from "./inexpressible.ts";
import { nullable } from "../../../schema/nullable.ts";
import { literalSchema, type Literal } from "./primitives.ts";
import { isMarked } from "./revival.ts";
import { presentNode } from "./written-type.ts";

/**
 * A union: literals become one `enum`, bare primitives one list of types, everything else an `anyOf`. Not `oneOf`, even
 * where a tag tells the members apart: TypeScript's unions do not exclude each other, and no provider's strict mode takes it.
 */
export function unionSchema(conversion: Conversion, union: Type, place: TypePlace): JsonSchema {
  const { host } = conversion;
  const { flags } = host;
  const [sole, ...rest] = host
    .unionMembers(union)
    .filter((type) => !has(type, flags.Undefined | flags.Void) && !isNever(host, type));
  if (sole !== undefined && rest.length === 0) {
    return conversion.convert(sole, { ...place, typeNode: presentNode(host, place.typeNode) });
  }
  const members = inDeclaredOrder(conversion, union, place.typeNode).filter(
    ({ type }) => !has(type, flags.Undefined | flags.Void) && !isNever(host, type),
  );
  if (members.length === 0) conversion.report.problem(place.path, place.node, "no value has its type");
  const isNullable = members.some(({ type }) => has(type, flags.Null));
  const present = members.filter(({ type }) => !has(type, flags.Null));
  const literals = literalsOf(host, present);
  const values = literalSchemaOf(literals.filter((value) => typeof value !== "bigint"));
  const types = present.map(({ type }) => type);
  const plain = values && withEnumNames(host, types, values);
  const big = literalSchemaOf(literals.filter((value) => typeof value === "bigint"));
  const literalSet = new Set(literals);
  const schemas = alternatives(conversion, present, isNullable, place, ({ type, typeNode, union: whole }) => {
    const value = host.literalValue(type);
    if (value === undefined) return conversion.convert(type, { ...place, typeNode, union: whole });
    if (!literalSet.has(value)) return { type: "boolean" };
    return (typeof value === "bigint" ? big : plain) ?? {};
  });
  return joined(conversion, isNullable ? [...schemas, { type: "null" }] : schemas);
}

/**
 * The schemas of a union's members. Of what a model writes, those that JSON cannot carry are left out, with a note; a union
 * of nothing else is itself a problem.
 */
function alternatives(
  conversion: Conversion,
  members: readonly WrittenMember[],
  isNullable: boolean,
  place: TypePlace,
  convert: (member: WrittenMember) => JsonSchema,
): readonly JsonSchema[] {
  if (conversion.direction === "output") return members.map(convert);
  const schemas: JsonSchema[] = [];
  const failures: { readonly type: Type; readonly problem: AttemptFinding }[] = [];
  for (const member of members) {
    const attempt = conversion.attempt(() => convert(member));
    if (attempt.problem === undefined) schemas.push(attempt.result);
    else failures.push({ type: member.type, problem: attempt.problem });
  }
  for (const { type, problem } of failures) {
    if (holdsContext(conversion.host, type)) conversion.refuse(place, contextProblem);
    else if (schemas.length === 0 && !isNullable)
      conversion.report.problem(problem.path, problem.node, problem.message);
    else
      conversion.noteLeftOut(place.path, `the alternative ${shortText(conversion.host, type)} is `, problem);
  }
  return schemas;
}

function shortText(host: Host, type: Type): string {
  const text = host.typeText(type).replaceAll(/\s+/g, " ");
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/** The literals among a union's members, but for `true` and `false` together, which are a type. */
function literalsOf(host: Host, members: readonly WrittenMember[]): readonly Literal[] {
  const values = new Set(members.flatMap(({ type }) => host.literalValue(type) ?? []));
  const hasBoth = values.has(true) && values.has(false);
  return [...values].filter((value) => !(hasBoth && typeof value === "boolean"));
}

function literalSchemaOf(values: readonly Literal[]): JsonSchema | undefined {
  return values.length === 0 ? undefined : literalSchema(values);
}

/** One schema that accepts what any of `schemas` accepts, as flat as JSON Schema allows. */
function joined({ structure }: Conversion, members: readonly JsonSchema[]): JsonSchema {
  const distinct = new Map(members.map((schema) => [structure.nodeOf(schema), schema]));
  const schemas = narrowFirst([...distinct.values()]);
  const [first, second] = schemas;
  if (first === undefined) return {};
  if (second === undefined) return first;
  if (schemas.every(isBareType)) return { type: schemas.flatMap((schema) => schema["type"]) };
  if (schemas.length === 2 && second["type"] === "null") return nullable(first);
  const flat = schemas.flatMap((schema) => (isOnlyUnion(schema) ? schema.anyOf : [schema]));
  return { anyOf: flat };
}

/**
 * The first member that a text fits is the one that counts: `Date` comes before `string`, which would take its texts, too,
 * and base64, which nearly any word passes for, after it.
 */
function narrowFirst(schemas: readonly JsonSchema[]): readonly JsonSchema[] {
  if (!schemas.some((schema) => schema["type"] === "string" && !isMarked(schema))) return schemas;
  const rank = (schema: JsonSchema): number => {
    if (!isMarked(schema) || schema["type"] !== "string") return 1;
    return Object.hasOwn(schema, "contentEncoding") ? 2 : 0;
  };
  return schemas.toSorted((left, right) => rank(left) - rank(right));
}

function isOnlyUnion(schema: JsonSchema): schema is { readonly anyOf: readonly JsonSchema[] } {
  return Array.isArray(schema["anyOf"]) && Object.keys(schema).length === 1;
}

function isBareType(schema: JsonSchema): boolean {
  return typeof schema["type"] === "string" && Object.keys(schema).length === 1;
}

import type { JsonSchema } from "../../../schema/types.ts";
import type { Host, Type } from "../host.ts";
import { has, type Conversion } from "./conversion.ts";
import { marked } from "./revival.ts";

/** The decimal digits of an integer of any size: JSON's numbers would lose some. */
export const digits = "-?(?:0|[1-9]\\d*)";

/** The schema of a type that needs no further look; `undefined` for all others. */
export function primitiveSchema({ host, direction }: Conversion, type: Type): JsonSchema | undefined {
  const { flags } = host;
  if (type.isErrorType()) return undefined;
  if (has(type, flags.Any | flags.Unknown)) return {};
  if (has(type, flags.String)) return { type: "string" };
  if (has(type, flags.Number)) return { type: "number" };
  if (has(type, flags.Boolean)) return { type: "boolean" };
  if (has(type, flags.Null)) return { type: "null" };
  if (has(type, flags.BigInt)) return marked("bigint", { type: "string", pattern: `^${digits}$` });
  // Also a list is an `object`, and a `Date`, which is written as text.
  if (has(type, flags.NonPrimitive)) return direction === "input" ? { type: "object" } : {};
  return undefined;
}

/** A value that a literal type stands for. */
export type Literal = string | number | boolean | bigint | null;

/** The schema of literals of one kind, bigints apart from others: `const` for one, `enum` for several. */
export function literalSchema(values: readonly Literal[]): JsonSchema {
  const isBig = values.some((value) => typeof value === "bigint");
  const literals = values.map((value) => (typeof value === "bigint" ? String(value) : value));
  const types = [...new Set(literals.map((value) => (value === null ? "null" : typeof value)))];
  const type = types.length === 1 ? types[0] : types;
  const schema = literals.length === 1 ? { type, const: literals[0] } : { type, enum: literals };
  return isBig ? marked("bigint", schema) : schema;
}

/**
 * The primitive within an intersection: `string` for the brand `string & { readonly brand: "id" }`, and for the
 * `string & {}` that keeps a union of literals open. At run time nothing but the primitive is there.
 */
export function brandedPrimitive(host: Host, type: Type): Type | undefined {
  const { flags } = host;
  const primitive =
    flags.String | flags.Number | flags.Boolean | flags.Literal | flags.BigInt | flags.EnumLiteral;
  return host
    .intersectionMembers(type)
    .find((member) => has(member, primitive | flags.TemplateLiteral | flags.StringMapping));
}

import type { JsonSchema } from "../../schema/types.ts";
import type { Host, Type } from "../host.ts";
import { has, type Place } from "./conversion.ts";

/** The schema of a type that needs no further look; `undefined` for all others. */
export function primitiveSchema(host: Host, type: Type): JsonSchema | undefined {
  const { flags } = host;
  if (has(type, flags.Any | flags.Unknown)) return {};
  if (has(type, flags.String)) return { type: "string" };
  if (has(type, flags.Number)) return { type: "number" };
  if (has(type, flags.Boolean)) return { type: "boolean" };
  if (has(type, flags.Null)) return { type: "null" };
  if (has(type, flags.NonPrimitive)) return { type: "object" };
  return undefined;
}

/**
 * The primitive within an intersection: `string` for the brand `string & { readonly brand: "id" }`, and for the
 * `string & {}` that keeps a union of literals open. At run time nothing but the primitive is there.
 */
export function brandedPrimitive(host: Host, type: Type): Type | undefined {
  const { flags } = host;
  const primitive = flags.String | flags.Number | flags.Boolean | flags.Literal | flags.BigInt;
  return host.intersectionMembers(type).find((member) => has(member, primitive | flags.TemplateLiteral));
}

/** Why JSON cannot carry values of `type`, or why this compiler does not express it; `undefined` if it does. */
export function inexpressible(host: Host, type: Type, place: Place): string | undefined {
  const { flags } = host;
  if (type.isErrorType()) return `the type${writtenText(place)} cannot be resolved`;
  if (has(type, flags.Undefined | flags.Void)) return "undefined is not JSON";
  if (has(type, flags.Never)) return "no value has the type never";
  if (has(type, flags.ESSymbol | flags.UniqueESSymbol)) return "a symbol is not JSON";
  if (has(type, flags.BigInt | flags.BigIntLiteral)) return "a bigint is not JSON: take a number or a string";
  if (has(type, flags.TemplateLiteral | flags.StringMapping)) {
    return `the pattern ${host.typeText(type)} has no schema: take a string with @pattern`;
  }
  if (has(type, flags.Enum)) return `the enum ${host.typeText(type)} has computed values`;
  return has(type, flags.Object) ? inexpressibleObject(host, type) : undefined;
}

function inexpressibleObject(host: Host, type: Type): string | undefined {
  if (host.arrayElement(type) !== undefined || host.tupleElements(type) !== undefined) return undefined;
  const symbol = type.getSymbol();
  if (symbol !== undefined && !host.isAnonymous(symbol) && host.isFromLibrary(symbol)) {
    if (symbol.name === "Date") return "a Date is not JSON: take a string with @format date-time";
    return `a value of type ${host.typeText(type)} is not JSON`;
  }
  if (symbol !== undefined && host.isClass(symbol)) {
    return `an instance of the class ${host.typeText(type)} cannot be made from JSON: take a plain object type`;
  }
  return host.isCallable(type) ? "a function is not JSON" : undefined;
}

function writtenText({ written }: Place): string {
  return written === undefined ? "" : ` ${written.getText()}`;
}

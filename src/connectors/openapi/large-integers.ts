import { member } from "./pointers.ts";
import { partsOf } from "./schema-members.ts";
import type { ConvertedSchema } from "./types.ts";

/** Below this, JavaScript has every integer as a number: texts of digits begin with as many. */
const smallest = 1e15;
const digits = "\\d{16,19}$";

/**
 * A converted schema of a parameter, which also accepts the digits of an integer that JavaScript would change if they were a number,
 * where the schema is one of `format: int64`. Answers have such ids as texts; in an address the two are the same.
 */
export function withLargeIntegers(
  root: unknown,
  schema: unknown,
  converted: ConvertedSchema,
): ConvertedSchema {
  const pattern = largePattern(root, schema);
  return pattern === undefined ? converted : { anyOf: [converted, { type: "string", pattern }] };
}

/** How the large integers of a schema are written; `undefined` if it has none. */
function largePattern(root: unknown, schema: unknown): string | undefined {
  const own = partsOf(root, schema, ["allOf"]);
  const isFixed = own.some((part) =>
    ["enum", "const", "pattern"].some((keyword) => member(part, keyword) !== undefined),
  );
  // One of several branches may be an integer while another accepts any text: the digits would fit both.
  const parts = partsOf(root, schema, ["allOf", "oneOf"]);
  const isInteger = parts.some((part) => [member(part, "type")].flat().includes("integer"));
  if (isFixed || !isInteger || !parts.some((part) => member(part, "format") === "int64")) return undefined;
  // A bound of any branch counts for all: too few digits are accepted then, and none too many.
  const hasBound = (keywords: readonly string[], excludes: (bound: number) => boolean): boolean =>
    parts.some((part) => keywords.some((keyword) => excludes(Number(member(part, keyword) ?? Number.NaN))));
  const noNegative = hasBound(["minimum", "exclusiveMinimum"], (bound) => bound > -smallest);
  const noPositive = hasBound(["maximum", "exclusiveMaximum"], (bound) => bound < smallest);
  if (noNegative) return noPositive ? undefined : `^${digits}`;
  return noPositive ? `^-${digits}` : `^-?${digits}`;
}

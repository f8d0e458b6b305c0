import { isPlainObject } from "../../../base/util/json.ts";
import { anyName, isPattern } from "../../../schema/patterns/is-pattern.ts";
import type { JsonSchema } from "../../../schema/types.ts";
import { defineOwn } from "../../../base/util/snapshot.ts";
import { cleanText, hasInvisible, hasInvisibleWithin } from "../../../base/util/clean-text.ts";

/** Keywords whose values a call may have to repeat exactly: one that cannot be seen whole is left out. */
const exact: ReadonlySet<string> = new Set(["const", "default", "pattern", "$ref", "$id", "$anchor"]);

/**
 * A schema of a server without invisible characters, with which text passes people and reaches the model: in descriptions they
 * are removed; names of properties, values of enums and defaults that have some are left out, since a call could not name them.
 * @param longest - The longest description, in characters.
 */
export function visibleSchema(schema: JsonSchema, longest: number): JsonSchema {
  const visible: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) {
    if (hasInvisible(key) || (exact.has(key) && hasInvisibleWithin(value))) continue;
    // The server tests its own pattern: one that cannot be tested here must not cost the tool its whole schema.
    if (key === "pattern" && typeof value === "string" && !isPattern(value)) continue;
    defineOwn(visible, key, visibleValue(key, value, longest));
  }
  return visible;
}

function visibleValue(key: string, value: unknown, longest: number): unknown {
  // A call repeats these as they are.
  if (key === "const" || key === "default") return value;
  if (key === "patternProperties" && isPlainObject(value)) return visibleSchema(testable(value), longest);
  if (key === "enum" && Array.isArray(value)) return value.filter((item) => !hasInvisibleWithin(item));
  if (typeof value === "string")
    return key === "description" || key === "title"
      ? cleanText(value, longest)
      : cleanText(value, value.length);
  if (Array.isArray(value))
    return value
      .filter((item) => isPlainObject(item) || !hasInvisibleWithin(item))
      .map((item: unknown) => visibleValue("", item, longest));
  return isPlainObject(value) ? visibleSchema(value, longest) : value;
}

function testable(members: JsonSchema): JsonSchema {
  const entries = Object.entries(members);
  return Object.fromEntries(entries.map((entry) => (isPattern(entry[0]) ? entry : [anyName, {}])));
}

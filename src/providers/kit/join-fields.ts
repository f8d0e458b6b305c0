import { isJsonObject } from "./json-values.ts";

/**
 * A field of the caller's own (`providerOptions`), joined with what stands in the body: lists named in `lists` are added to,
 * objects are merged field by field as deep as `depth` says, and anything else is replaced.
 */
export function joinField(before: unknown, value: unknown, isList: boolean, depth: number): unknown {
  if (isList && Array.isArray(before) && Array.isArray(value)) return [...before, ...value];
  if (depth === 0 || !isJsonObject(before) || !isJsonObject(value)) return value;
  const joined = Object.entries(value).map(
    ([key, field]) => [key, joinField(before[key], field, false, depth - 1)] as const,
  );
  return { ...before, ...Object.fromEntries(joined) };
}

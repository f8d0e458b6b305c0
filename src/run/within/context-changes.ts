import { isPlainObject } from "../../base/util/json.ts";
import { defineOwn } from "../../base/util/snapshot.ts";

/** What a run within has changed of the context that it got: all that is kept of it, since the rest may not be JSON. */
export function changesOf(context: unknown, outer: unknown): Record<string, unknown> {
  const changes: Record<string, unknown> = {};
  if (!isPlainObject(context)) return changes;
  const before = isPlainObject(outer) ? outer : {};
  for (const [key, value] of Object.entries(context))
    if (!Object.hasOwn(before, key) || !isSame(value, before[key])) defineOwn(changes, key, value);
  return changes;
}

function isSame(value: unknown, other: unknown): boolean {
  if (Object.is(value, other)) return true;
  const isData = isPlainObject(value) || Array.isArray(value);
  try {
    return isData && JSON.stringify(value) === JSON.stringify(other);
  } catch {
    return false;
  }
}

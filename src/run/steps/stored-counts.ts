import { isPlainObject } from "../../base/util/json.ts";
import type { StoredCounts } from "../state/call-limits.ts";

/** What is kept of a step that comes to a text: with what was counted by then, where calls within the step were. */
export type StoredText = string | { readonly text: string; readonly counts: StoredCounts };

/** Whether a value is what is stored of a step that comes to a text. */
export function isStoredText(value: unknown): boolean {
  if (typeof value === "string") return true;
  return isPlainObject(value) && typeof value["text"] === "string" && isStoredCounts(value["counts"]);
}

/** Whether a value is what is stored of the calls that were counted. */
export function isStoredCounts(value: unknown): boolean {
  if (!areOwnCounts(value)) return false;
  const { calls = {}, within = [] } = value;
  return (
    isPlainObject(calls) &&
    Object.values(calls).every(isCount) &&
    Array.isArray(within) &&
    within.every(areOwnCounts)
  );
}

function areOwnCounts(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isPlainObject(value)) return false;
  const { toolCalls = 0, isCallLimitReached = false } = value;
  return isCount(toolCalls) && typeof isCallLimitReached === "boolean";
}

function isCount(value: unknown): boolean {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

import { copyJson, jsonLimits } from "../base/util/copy-json.ts";
import { cutText } from "../base/util/cut-text.ts";
import type { JsonValue } from "../base/util/json.ts";
import { safeMessage } from "../base/util/error-message.ts";
import { toJson } from "../base/util/to-json.ts";

/**
 * What a tool reports, as an event may keep it: a copy as JSON, within the bounds of a result. What is longer is text that
 * says where it was cut. Never throws.
 */
export function progressValue(value: unknown): JsonValue | undefined {
  if (typeof value === "string") return cutText(value, jsonLimits.length);
  if (value === undefined || value === null) return value;
  try {
    const plain = copyJson(value);
    if (plain !== undefined) return plain;
    const { value: form, notes } = toJson(value);
    const cut = notes.find((note) => note.startsWith("the value was left out"));
    return cut === undefined ? form : `${JSON.stringify(form)}\n[${cut}]`;
  } catch (error) {
    return `[cannot be written as JSON: ${safeMessage(error)}]`;
  }
}

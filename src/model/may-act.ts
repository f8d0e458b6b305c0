import type { FinishReason } from "../message/messages.ts";
import { isObject } from "../base/util/json.ts";

/** What an ending says of the answer: that it is whole, that something is missing, or nothing. */
const endings = {
  stop: "whole",
  "tool-calls": "whole",
  length: "cut",
  "content-filter": "cut",
  error: "cut",
  cancelled: "cut",
  other: "unclear",
} as const satisfies Record<FinishReason, "whole" | "cut" | "unclear">;

/**
 * Whether an answer may be acted on: the one rule for every protocol and every custom model. After an ending that is not known to be
 * good, each of its texts must be a complete JSON object as it stands. A decoder throws where the stream itself did not end properly.
 * @param finishReason - As a custom model may have set it: any other value says nothing.
 * @param texts - What would be acted on: the arguments of the calls, or the text of an output.
 */
export function mayActOn(finishReason: string, texts: readonly string[]): boolean {
  const ending = isFinishReason(finishReason) ? endings[finishReason] : "unclear";
  return ending === "whole" || (ending === "unclear" && texts.every(isClosedObject));
}

function isFinishReason(reason: string): reason is FinishReason {
  return Object.hasOwn(endings, reason);
}

/** Whether a text is a whole JSON object: no beginning of one is. */
function isClosedObject(text: string): boolean {
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
}

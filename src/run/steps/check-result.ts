import type { ToolOutcome } from "../../message/messages.ts";
import { isPlainObject } from "../../base/util/json.ts";
import { problemOfPart } from "../../model/assert-parts.ts";
import { isStorable } from "./shapes.ts";

const outcomes = Object.keys({
  success: true,
  error: true,
  "invalid-arguments": true,
  "unknown-tool": true,
  denied: true,
  timeout: true,
  cancelled: true,
  "not-executed": true,
} satisfies Record<ToolOutcome, true>);

/** What is wrong with the result that a middleware returned for a call; `undefined` if nothing is. */
export function problemOfResult(result: unknown): string | undefined {
  if (!isPlainObject(result) || !Array.isArray(result["content"]))
    return "must return a tool result, such as that of next(call).";
  const wrong = result["content"].findIndex((part: unknown) => problemOfPart(part) !== undefined);
  if (wrong >= 0)
    return `must return a tool result of parts such as { type: "text", text }, but its content[${wrong}] is not one.`;
  if (!isStorable(result))
    return "must return a result that is plain JSON: no bigint, no object within itself.";
  const isError = result["isError"];
  const outcome = String(result["outcome"]);
  if (!outcomes.includes(outcome))
    return `must return an outcome of ${outcomes.join(", ")}, not "${outcome}".`;
  if (isError === (outcome !== "success")) return undefined;
  return `must return isError: ${outcome !== "success"} with the outcome "${outcome}".`;
}

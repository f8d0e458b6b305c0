import type { ToolResult } from "../../message/messages.ts";
import { cutText } from "../../base/util/cut-text.ts";
import { valueText } from "../finalize.ts";
import { isNote } from "../notes.ts";
import { readResultName } from "../read-result.ts";
import type { ExecutionScope, Policy, SettledCall } from "../types.ts";

/** The most characters of all truncated results of a history together that are kept for reading on. */
const maxStoredLength = 10_000_000;

/** Shows the model head and tail of a longer result; it reads the rest with a tool. Other tools receive the whole. */
export const maxResultChars: Policy =
  (next, { policy: { maxResultChars: limit = Number.POSITIVE_INFINITY } }) =>
  async (ready) => {
    const outcome = await next(ready);
    // A final result is the run's answer, which no model reads on in.
    if (!("result" in outcome) || ready.depth > 0 || outcome.final) return outcome;
    const whole = valueText(outcome.result);
    return whole.length > limit ? truncate(outcome, whole, limit, ready.scope) : outcome;
  };

function truncate(outcome: SettledCall, whole: string, limit: number, scope: ExecutionScope): SettledCall {
  const { structuredContent, content, ...result } = outcome.result;
  const isStored = scope.toolTable.has(readResultName) && reserve(whole.length, scope);
  const call = (from: number): string => JSON.stringify({ toolCallId: result.toolCallId, from });
  const how = (from: number): string => (isStored ? `: read on with ${readResultName}(${call(from)})` : "");
  const excerpt = cutText(whole, limit, how);
  const others = content.filter((part) => part.type !== "text" || isNote(part));
  const shortened: ToolResult = { ...result, content: [{ type: "text", text: excerpt }, ...others] };
  if (!isStored) {
    const { value = structuredContent } = outcome;
    return { ...outcome, result: shortened, ...(value !== undefined && { value }) };
  }
  const isValue = JSON.stringify(structuredContent) === whole;
  return {
    ...outcome,
    result: {
      ...shortened,
      ...(structuredContent !== undefined && { structuredContent }),
      truncated: { length: whole.length, limit, ...(!isValue && { text: whole }) },
    },
  };
}

/** Whether `length` more characters may be stored; if so, they count from now on. */
function reserve(length: number, { memory, messages, batchResults = [] }: ExecutionScope): boolean {
  const counted = memory.get(maxResultChars);
  const total = typeof counted === "number" ? counted : storedLength([...messages, ...batchResults]);
  memory.set(maxResultChars, total + length <= maxStoredLength ? total + length : total);
  return total + length <= maxStoredLength;
}

function storedLength(messages: ExecutionScope["messages"]): number {
  const lengths = messages.map((message) =>
    message.role === "tool" ? (message.result.truncated?.length ?? 0) : 0,
  );
  return lengths.reduce((sum, length) => sum + length, 0);
}

import { valueText } from "../../executor/finalize.ts";
import { openParts, textOfAnswers } from "../../message/answer-parts.ts";
import type { Message, ToolResult } from "../../message/messages.ts";

/** The text of the result that ends the run, the last in call order; `undefined` if there is none. */
export function unfinishedFinal(messages: readonly Message[]): string | undefined {
  const finals = new Map<string, ToolResult>();
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index];
    if (message?.role === "assistant") {
      const last = message.toolCalls.findLast(({ toolCallId }) => finals.has(toolCallId));
      const result = finals.get(last?.toolCallId ?? "");
      return result && valueText(result);
    }
    if (message?.role !== "tool") return undefined;
    if (message.result.final) finals.set(message.result.toolCallId, message.result);
  }
  return undefined;
}

/** The text with which a run has completed: a final result, the arguments of the output's call, or the answer itself. */
export function finalText(messages: readonly Message[]): string {
  const final = unfinishedFinal(messages);
  if (final !== undefined) return final;
  const last = messages.findLastIndex((message) => message.role === "assistant");
  const answer = messages[last];
  if (answer?.role !== "assistant") return "";
  if (messages.at(-1)?.role === "tool") return answer.toolCalls[0]?.arguments ?? "";
  return textOfAnswers([...openParts(messages, last), answer]);
}

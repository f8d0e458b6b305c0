import { valueText } from "../../executor/finalize.ts";
import type { AssistantMessage, ToolCall, ToolResult } from "../../message/messages.ts";

/** Whether a call may be that of the tool which takes a typed answer, which a client sees as text. */
export function isAnswerTool(toolName: string): boolean {
  return /^final_answer_*$/.test(toolName);
}

/** Whether a result says that a call was the answer. */
export function isAccepted(result: ToolResult | undefined): boolean {
  const [part] = result?.content ?? [];
  return result?.outcome === "success" && part?.type === "text" && part.text === "The answer was accepted.";
}

/** The text that a run ends with where a tool has the last word: that of the last such call, once all beside it have come to an end. */
export function finalText(
  { toolCalls }: AssistantMessage,
  results: ReadonlyMap<string, ToolResult>,
): string | undefined {
  const isOpen = (each: ToolCall): boolean =>
    !isAnswerTool(each.toolName) && !hasEnded(results.get(each.toolCallId));
  if (toolCalls.some(isOpen)) return undefined;
  const call = toolCalls.findLast(({ toolCallId }) => results.get(toolCallId)?.final);
  const result = call && results.get(call.toolCallId);
  return result && valueText(result);
}

function hasEnded(result: ToolResult | undefined): boolean {
  return result !== undefined && result.outcome !== "cancelled" && result.outcome !== "not-executed";
}

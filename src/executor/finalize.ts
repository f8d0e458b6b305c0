import type { ToolCall, ToolOutcome, ToolResult } from "../message/messages.ts";
import type { Part } from "../message/parts.ts";
import { isAgent } from "../tool/agent-like.ts";
import { isToolReturn } from "../tool/result.ts";
import type { ToolReturn } from "../tool/types.ts";
import { errorMessage } from "../util/error-message.ts";
import { isPlainObject, type JsonValue } from "../util/json.ts";
import { toJson } from "../util/to-json.ts";
import type { SettledCall } from "./types.ts";

/** The longest message of a thrown error that a model is shown, in characters. */
const longestError = 4_000;

/** A result that is only text: errors, refusals, notes. */
export function textResult(call: ToolCall, text: string, outcome: ToolOutcome): ToolResult {
  const { toolCallId, toolName } = call;
  return { toolCallId, toolName, content: [{ type: "text", text }], isError: outcome !== "success", outcome };
}

/** The result of a tool that threw. */
export function thrownResult(call: ToolCall, thrown: unknown): ToolResult {
  const words = errorMessage(thrown);
  const text = words.length > longestError ? `${words.slice(0, longestError)}…` : words;
  return textResult(call, `${call.toolName} failed: ${text}`, "error");
}

/** The result of what a tool returned, whatever it is. */
export function finalize(call: ToolCall, returned: unknown): SettledCall {
  try {
    if (isToolReturn(returned)) return finalizeReturn(call, returned);
    if (isAgent(returned)) return { result: handoffResult(call, returned.name), agent: returned };
    return { result: valueResult(call, returned, false) };
  } catch (error) {
    const result = textResult(
      call,
      `${call.toolName} returned something that cannot be written as JSON: ${errorMessage(error)}`,
      "error",
    );
    return { result };
  }
}

function finalizeReturn(call: ToolCall, returned: ToolReturn): SettledCall {
  const { agent, context, final } = returned;
  return {
    result: returnResult(call, returned),
    ...(agent && { agent }),
    ...(isPlainObject(context) && { context }),
    ...(final && { final }),
  };
}

function returnResult(call: ToolCall, returned: ToolReturn): ToolResult {
  const { value, agent, content, isError = false } = returned;
  if (content === undefined && value === undefined && agent) return handoffResult(call, agent.name);
  if (content === undefined) return valueResult(call, value, isError);
  const shown: readonly Part[] = typeof content === "string" ? [{ type: "text", text: content }] : content;
  const structured = value === undefined ? undefined : toJson(value).value;
  return {
    ...resultOf(call, shown, isError),
    ...(structured !== undefined && { structuredContent: structured }),
  };
}

function handoffResult(call: ToolCall, agent: string): ToolResult {
  return textResult(call, `${agent} has the lead now.`, "success");
}

function valueResult(call: ToolCall, value: unknown, isError: boolean): ToolResult {
  if (typeof value === "string") return resultOf(call, [{ type: "text", text: value }], isError);
  if (value === undefined) {
    return resultOf(
      call,
      [{ type: "text", text: `${call.toolName} is done and returned nothing.` }],
      isError,
    );
  }
  const { value: structuredContent, text, notes } = toJson(value);
  const note: readonly Part[] =
    notes.length === 0 ? [] : [{ type: "text", text: `Note: ${notes.join("; ")}.` }];
  return { ...resultOf(call, [{ type: "text", text }, ...note], isError), structuredContent };
}

function resultOf(call: ToolCall, content: readonly Part[], isError: boolean): ToolResult {
  const { toolCallId, toolName } = call;
  return { toolCallId, toolName, content, isError, outcome: isError ? "error" : "success" };
}

/** The value a calling tool gets of another's result: what it returned, or its text. */
export function valueOf(result: ToolResult): JsonValue {
  if (result.structuredContent !== undefined) return result.structuredContent;
  return textOf(result);
}

/** The text of a result. */
export function textOf(result: ToolResult): string {
  return result.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

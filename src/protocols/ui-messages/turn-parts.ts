import type { JsonValue } from "../../base/util/json.ts";
import type { ToolCall, ToolResult } from "../../message/messages.ts";
import type { AssistantPart } from "../../message/parts.ts";
import type { PendingCall } from "../../message/run-state.ts";
import type { ShowOptions } from "../../run/public/show.ts";
import { inputOf, isOutputCall, outputOf, partIdOf, readInput } from "./call-input.ts";
import { readHostedCalls } from "../../providers/kit/hosted-calls/read.ts";
import type { OpenCalls } from "../../providers/kit/hosted-calls/shape.ts";
import { hostedPart } from "./hosted-parts.ts";
import type { HistoryTurn } from "./history-turns.ts";
import type { ToolPart, UIMessagePart } from "./ui-message.ts";
import { filePart } from "./user-parts.ts";

/** How the calls of a history stand. */
export interface CallsOfHistory {
  readonly show: Required<ShowOptions>;
  /** Those that wait, by the ids of their parts. */
  readonly pending: ReadonlyMap<string, PendingCall>;
  /** Whether a call without a result may still get one. */
  readonly isOpen: boolean;
}

/** The parts of a turn, after that of its beginning. */
export function turnParts({ message, results }: HistoryTurn, calls: CallsOfHistory): UIMessagePart[] {
  const parts: UIMessagePart[] = [];
  const callsById = new Map(message.toolCalls.map((call) => [call.toolCallId, call]));
  const addText = (type: "text" | "reasoning", text: string): void => {
    const last = parts.at(-1);
    if (text === "") return;
    if (last?.type === type) parts.splice(-1, 1, { ...last, text: last.text + text });
    else parts.push({ type, text, state: "done" });
  };
  const addCall = (call: ToolCall): void => {
    callsById.delete(call.toolCallId);
    const result = results.get(call.toolCallId);
    if (isOutputCall(call, result)) parts.push({ type: "text", text: call.arguments, state: "done" });
    else parts.push(...callPart(call, result, calls));
  };
  const open: OpenCalls = { running: new Map() };
  const places = new Map<JsonValue | undefined, number>();
  const addHosted = (part: AssistantPart): void => {
    for (const call of readHostedCalls(part, open)) {
      const place = places.get(call.raw[0]) ?? parts.length;
      places.set(call.raw[0], place);
      parts.splice(place, 1, hostedPart(call, calls.show));
    }
  };
  for (const part of message.content) {
    if (part.type === "text") addText("text", part.text);
    else if (part.type === "reasoning") addText("reasoning", calls.show.reasoning ? part.text : "");
    else if (part.type === "tool-call") {
      const call = callsById.get(part.toolCallId);
      if (call) addCall(call);
    } else {
      if (calls.show.toolCalls) addHosted(part);
      const file = part.type === "provider" ? undefined : filePart(part);
      if (file) parts.push({ type: "file", url: file.url, mediaType: file.mediaType });
    }
  }
  for (const call of callsById.values()) addCall(call);
  return parts;
}

/** A part of a call that waits. */
export function pendingPart(id: string, call: PendingCall): ToolPart {
  const { approvalId } = call;
  const part = { type: `tool-${call.toolName}`, toolCallId: id, input: inputOf(call) } as const;
  return approvalId === undefined
    ? { ...part, state: "input-available" }
    : { ...part, state: "approval-requested", approval: { id: approvalId } };
}

/** The calls that wait, by the ids of their parts. */
export function pendingById(pending: readonly PendingCall[]): ReadonlyMap<string, PendingCall> {
  return new Map(pending.map((call) => [partIdOf(call), call]));
}

function callPart(
  call: ToolCall,
  result: ToolResult | undefined,
  calls: CallsOfHistory,
): readonly ToolPart[] {
  const { toolCallId, toolName } = call;
  const { show, pending, isOpen } = calls;
  const waiting = pending.get(toolCallId);
  if (!result && waiting && waiting.parentToolCallId === undefined) return [pendingPart(toolCallId, waiting)];
  if (!show.toolCalls) return [];
  const { input } = readInput(call.arguments);
  const part = { type: `tool-${toolName}`, toolCallId, input } as const;
  if (result) return [{ ...part, ...outcomeOf(result, show) }];
  if (isOpen) return [{ ...part, state: "input-available" }];
  return [{ ...part, state: "output-error", errorText: `${toolName} has no result.` }];
}

type Outcome =
  | { readonly state: "output-available"; readonly output: unknown }
  | { readonly state: "output-error"; readonly errorText: string }
  | { readonly state: "output-denied"; readonly approval: { readonly id: string; readonly approved: false } };

function outcomeOf(result: ToolResult, show: Required<ShowOptions>): Outcome {
  // Which decision it was is not in a history.
  if (result.outcome === "denied")
    return { state: "output-denied", approval: { id: result.toolCallId, approved: false } };
  const { isError, text, value } = outputOf(result, show);
  return isError ? { state: "output-error", errorText: text } : { state: "output-available", output: value };
}

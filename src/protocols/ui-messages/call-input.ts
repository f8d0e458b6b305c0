import type { ToolCall, ToolResult } from "../../message/messages.ts";
import { type PublicResult, publicResult } from "../../run/public/public-result.ts";
import type { ShowOptions } from "../../run/public/show.ts";
import type { PendingCall } from "../../message/run-state.ts";
import { readDocument } from "../../schema/lenient/read-document.ts";
import { parsePlain } from "../../schema/parse-json.ts";

/** The arguments of a call, as a page can use them. */
export interface CallInput {
  /** Their value, or the text where it is not JSON. */
  readonly input: unknown;
  /** Whether they are JSON. */
  readonly isJson: boolean;
}

/** Reads arguments as a model wrote them, and as the run reads them: with the mistakes that it forgives. */
export function readInput(text: string): CallInput {
  if (text.trim() === "") return { input: {}, isJson: true };
  const plain = parsePlain(text);
  if (plain) return { input: plain.value, isJson: true };
  const lenient = readDocument(text);
  return lenient.ok ? { input: lenient.value, isJson: true } : { input: text, isJson: false };
}

/** What a page gets of a result: without what is noted in it for the model. */
export function outputOf(result: ToolResult, show: Required<ShowOptions>): PublicResult {
  const content = result.content.filter((part) => part.type !== "text" || part.note !== true);
  return publicResult({ ...result, content }, show);
}

/** What a call that waits would be executed with. */
export function inputOf({ input, arguments: text }: PendingCall): unknown {
  return input ?? readInput(text).input;
}

/**
 * The id of the part of a call that waits. Agents number their calls alike, at each depth: what is unique of a call within another is the
 * id of its decision; where it waits for a result, it has an id that no other call has.
 */
export function partIdOf({ toolCallId, approvalId, parentToolCallId }: PendingCall): string {
  const isWithin = approvalId !== undefined && parentToolCallId !== undefined;
  return isWithin ? `${parentToolCallId}/${approvalId}` : toolCallId;
}

/** Whether the call is a model's way to write its `output`: a stream has it as text. */
export function isOutputCall({ toolName }: ToolCall, result: ToolResult | undefined): boolean {
  if (!/^final_answer_*$/.test(toolName) || !result) return false;
  const [part] = result.content;
  const isAccepted = part?.type === "text" && part.text === "The answer was accepted.";
  return isAccepted || result.outcome === "invalid-arguments" || result.outcome === "not-executed";
}

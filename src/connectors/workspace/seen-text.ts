import type { Message, ToolCall, ToolResult } from "../../message/messages.ts";
import { valueOf } from "../../executor/finalize.ts";
import { isPlainObject } from "../../base/util/json.ts";
import type { ReadPath } from "./folder.ts";
import { partOf, usualLines } from "../../sandbox/file-tools.ts";
import { inputOfCall, isCovered, isVisible, LaterReads, type Range } from "./visible-text.ts";

/** The most characters of a file that a model reads at once. */
export const longestPart = 100_000;

/** What the tools of a workspace are called in a history. */
export interface ToolNames {
  readonly read: string;
  readonly write: string;
}

/**
 * Whether a model knows a text as that of a file: it has read all of it, also in parts, or written it. The history says so, so that it holds after a
 * pause and in another process, and no longer once a compaction has left it out. Of a result that was truncated, the model has read what
 * was left of it and what it has read on since.
 */
export function hasSeen(
  messages: readonly Message[],
  names: ToolNames,
  readPath: ReadPath,
  path: string,
  text: string,
): boolean {
  const results = new Map<string, ToolResult>();
  const later = new LaterReads();
  const ranges: Range[] = [];
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index];
    if (message?.role === "tool") {
      const { result } = message;
      if (result.outcome === "success" && !result.isPruned) results.set(result.toolCallId, result);
    }
    if (message?.role !== "assistant") continue;
    for (const call of message.toolCalls) {
      const result = results.get(call.toolCallId);
      const words = result && textOfCall(call, result, names, readPath, path);
      if (!result || typeof words !== "string") continue;
      const isWritten = result.toolName === names.write;
      if (words === text && (isWritten || isVisible(text, result, later))) return true;
      if (isWritten || !isVisible(words, result, later)) continue;
      ranges.push(...partRead(call, words, text));
      if (isCovered(text.length, ranges)) return true;
    }
    later.add(message.toolCalls, results);
    // Ids are unique within an answer, not beyond it.
    results.clear();
  }
  return false;
}

/** Where the lines stand that a call has read, if they are still what it has read. */
function partRead(call: ToolCall, words: string, text: string): readonly Range[] {
  const input = inputOfCall(call);
  const { from = 1, lines = usualLines }: { readonly from?: unknown; readonly lines?: unknown } =
    Object(input);
  if (!isLineNumber(from) || !isLineNumber(lines)) return [];
  const part = partOf(text, { from, lines }, longestPart);
  return part.text === words ? [part.range] : [];
}

function isLineNumber(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 1;
}

/** The text that a call has returned of a file, or written there; `undefined` for calls that are about another file. */
function textOfCall(
  call: ToolCall,
  result: ToolResult,
  names: ToolNames,
  readPath: ReadPath,
  path: string,
): unknown {
  if (result.toolName !== names.read && result.toolName !== names.write) return undefined;
  const input = inputOfCall(call);
  if (!isPlainObject(input) || typeof input["path"] !== "string") return undefined;
  try {
    if (readPath(input["path"]) !== path) return undefined;
  } catch {
    return undefined;
  }
  return result.toolName === names.read ? valueOf(result) : input["content"];
}

import type { Message, ToolCall, ToolResult } from "../../message/messages.ts";
import { valueOf } from "../../executor/finalize.ts";
import { isPlainObject } from "../../base/util/json.ts";
import type { ReadPath } from "./folder.ts";

/** What the tools of a workspace are called in a history. */
export interface ToolNames {
  readonly read: string;
  readonly write: string;
}

/**
 * Whether a model knows a text as that of a file: it has read all of it, or written it. The history says so, so that it holds after a
 * pause and in another process, and no longer once a compaction has left it out.
 */
export function hasSeen(
  messages: readonly Message[],
  names: ToolNames,
  readPath: ReadPath,
  path: string,
  text: string,
): boolean {
  const results = new Map<string, ToolResult>();
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index];
    if (message?.role === "tool") {
      const { result } = message;
      const isSuccess = result.outcome === "success" && !result.isPruned;
      if (isSuccess && (result.toolName === names.read || result.toolName === names.write))
        results.set(result.toolCallId, result);
    }
    if (message?.role !== "assistant") continue;
    for (const call of message.toolCalls) {
      const result = results.get(call.toolCallId);
      if (result && textOfCall(call, result, names, readPath, path) === text) return true;
    }
    // Ids are unique within an answer, not beyond it.
    results.clear();
  }
  return false;
}

/** The text that a call has shown the model of a file, or written there; `undefined` for calls that are about another file. */
function textOfCall(
  { arguments: json }: ToolCall,
  result: ToolResult,
  names: ToolNames,
  readPath: ReadPath,
  path: string,
): unknown {
  const input = parsed(json);
  if (!isPlainObject(input) || typeof input["path"] !== "string") return undefined;
  try {
    if (readPath(input["path"]) !== path) return undefined;
  } catch {
    return undefined;
  }
  return result.toolName === names.read ? valueOf(result) : input["content"];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

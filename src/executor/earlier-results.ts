import type { Message, ToolResult } from "../message/messages.ts";
import type { ExecutionScope } from "./types.ts";

/** The results of a history, by the ids of their calls, as far as it was read. */
class ResultIndex {
  readonly results = new Map<string, ToolResult>();
  count = 0;
  last: Message | undefined;
}

const indexKey = Symbol("results of earlier answers");

/** The results of the history, by the ids of their calls. Only what is new of the history is read. */
export function earlierResults({
  messages,
  memory,
}: Pick<ExecutionScope, "messages" | "memory">): ReadonlyMap<string, ToolResult> {
  const index = indexIn(memory, messages);
  for (let place = index.count; place < messages.length; place++) {
    const message = messages[place];
    if (message?.role === "tool") index.results.set(message.result.toolCallId, message.result);
  }
  index.count = messages.length;
  index.last = messages.at(-1);
  return index.results;
}

/** Forgets what was read: the messages of a history are others. */
export function forgetResults(memory: Map<unknown, unknown>): void {
  memory.delete(indexKey);
}

function indexIn(memory: Map<unknown, unknown>, messages: readonly Message[]): ResultIndex {
  const earlier = memory.get(indexKey);
  if (earlier instanceof ResultIndex && messages[earlier.count - 1] === earlier.last) return earlier;
  const index = new ResultIndex();
  memory.set(indexKey, index);
  return index;
}

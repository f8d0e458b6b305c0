import type { Message, ToolResult } from "../message/messages.ts";
import type { ExecutionScope } from "./types.ts";

/** Where the results of a history are, by the ids of their calls, as far as it was read. */
class ResultIndex {
  readonly places = new Map<string, number>();
  count = 0;
  last: Message | undefined;
}

const indexKey = Symbol("results of earlier answers");

/** What finds the result of an earlier call in a history. Only what is new of the history is read; one that was made shorter is read again. */
export function earlierResults({
  messages,
  memory,
}: Pick<ExecutionScope, "messages" | "memory">): (toolCallId: string) => ToolResult | undefined {
  const { places } = read(messages, indexIn(memory, messages));
  return (toolCallId) => {
    const place = places.get(toolCallId);
    const message = place === undefined ? undefined : messages[place];
    return message?.role === "tool" && message.result.toolCallId === toolCallId ? message.result : undefined;
  };
}

function read(messages: readonly Message[], index: ResultIndex): ResultIndex {
  for (let place = index.count; place < messages.length; place++) {
    const message = messages[place];
    if (message?.role === "tool") index.places.set(message.result.toolCallId, place);
  }
  index.count = messages.length;
  index.last = messages.at(-1);
  return index;
}

function indexIn(memory: Map<unknown, unknown>, messages: readonly Message[]): ResultIndex {
  const earlier = memory.get(indexKey);
  // A compaction moves the message that was the last, or replaces it where it is.
  if (earlier instanceof ResultIndex && messages[earlier.count - 1] === earlier.last) return earlier;
  const index = new ResultIndex();
  memory.set(indexKey, index);
  return index;
}

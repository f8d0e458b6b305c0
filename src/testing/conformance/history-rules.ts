import type { Message } from "../../message/messages.ts";

/**
 * What is wrong with a history as a request carries it: every call has exactly one result, after it and before anybody else
 * speaks, and no id stands twice.
 */
export function* historyProblems(messages: readonly Message[]): Iterable<string> {
  const answered = new Set<string>();
  let open = new Set<string>();
  for (const [index, message] of messages.entries()) {
    if (message.role === "tool") {
      const { toolCallId } = message.result;
      if (!open.delete(toolCallId))
        yield `messages[${index}] is a result of ${toolCallId}, which is not an open call.`;
      continue;
    }
    yield* orphans(open, index);
    open = new Set();
    if (message.role !== "assistant") continue;
    for (const { toolCallId } of message.toolCalls) {
      if (answered.has(toolCallId))
        yield `messages[${index}] has a call ${toolCallId}, and so has an earlier one.`;
      answered.add(toolCallId);
      open.add(toolCallId);
    }
  }
  yield* orphans(open, messages.length);
}

function* orphans(open: ReadonlySet<string>, index: number): Iterable<string> {
  for (const id of open) yield `The call ${id} has no result before messages[${index}].`;
}

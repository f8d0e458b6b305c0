import type { Message } from "../../message/messages.ts";
import type { RunResult } from "../../run/result-types.ts";
import type { RunEvent } from "../../run/types.ts";
import { historyProblems } from "./history-rules.ts";
import { isJson, quote, usageProblems } from "./stream-rules.ts";

/** Told of each thing that does not hold. */
type Fail = (message: string, check: string) => void;

/**
 * What holds for the events of every run, also one that was cancelled or left.
 * @param messages - What the run added: calls that it never came to need no end
 */
export function checkRunEvents(
  events: readonly RunEvent[],
  messages: readonly Message[],
  what: string,
  fail: Fail,
): void {
  for (const [place, { index }] of events.entries()) {
    if (index !== place) return fail(`${what}: event ${place} has the index ${index}.`, "events");
  }
  const ends = events.filter(({ type }) => type === "run-end");
  if (ends.length !== 1) fail(`${what}: there are ${ends.length} run-end events.`, "one-end");
  if (events.at(-1)?.type !== "run-end")
    fail(`${what}: the last event is ${events.at(-1)?.type}.`, "one-end");
  const open = new Map<string, number>();
  const parents = new Map<string, string | undefined>();
  for (const event of events) {
    if (event.type === "tool-start") {
      count(open, event.toolCall.toolCallId, 1);
      parents.set(event.toolCall.toolCallId, event.parentToolCallId);
    }
    if (event.type === "tool-end") count(open, event.result.toolCallId, -1);
    if (event.type !== "approval-request") continue;
    open.delete(event.toolCall.toolCallId);
    // The calls around it wait with it.
    for (let id = event.parentToolCallId; id !== undefined && open.delete(id);) id = parents.get(id);
  }
  for (const message of messages)
    if (message.role === "tool" && message.result.outcome === "not-executed")
      open.delete(message.result.toolCallId);
  const isCut = events.some(
    (event) => event.type === "run-end" && (event.status === "cancelled" || event.status === "failed"),
  );
  for (const [id, starts] of open)
    // What a tool is about to do when its run ends has no end that readers see.
    if (starts !== 0 && !(isCut && parents.get(id) !== undefined))
      fail(`${what}: the call ${id} has ${starts > 0 ? "no end" : "an end too many"}.`, "events");
}

/** What holds for every result. */
export function checkResult(result: RunResult, what: string, fail: Fail): void {
  const { state, usage, status, pending } = result;
  if (!isJson(state)) fail(`${what}: its state is not JSON, so it cannot be stored.`, "state");
  for (const problem of usageProblems(usage)) fail(`${what}: ${problem}`, "usage");
  const open = new Set(pending.flatMap(({ toolCallId, parentToolCallId }) => [toolCallId, parentToolCallId]));
  const answered = state.messages.map((message) =>
    message.role === "assistant"
      ? { ...message, toolCalls: message.toolCalls.filter(({ toolCallId }) => !open.has(toolCallId)) }
      : message,
  );
  for (const problem of historyProblems(answered)) fail(`${what}: ${problem}`, "history");
  if (status !== "paused" && pending.length > 0)
    fail(`${what}: it is ${quote(status)}, and ${pending.length} calls wait.`, "history");
}

function count(open: Map<string, number>, id: string, step: number): void {
  open.set(id, (open.get(id) ?? 0) + step);
}

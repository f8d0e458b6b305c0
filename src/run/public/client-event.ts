import type { PendingCall } from "../../message/run-state.ts";
import { isWait } from "../../message/waits.ts";
import { clientCalls } from "./client-calls.ts";

/** As much of an event as tells whether it is of a tool's own wait. */
interface EventShape {
  readonly type: string;
  readonly parentToolCallId?: string | undefined;
  readonly toolCall?: { readonly toolName: string };
  readonly toolName?: string;
  readonly result?: object;
  readonly event?: EventShape;
}

/**
 * An event without what the framework's own waits are, which are calls to it: their tokens are secrets, and their results the program's.
 * All that leaves a program as another protocol comes through here.
 * @returns `undefined` for an event of such a wait.
 */
export function clientEvent<Event extends { readonly type: string }>(event: Event): Event | undefined {
  switch (event.type) {
    case "tool-start":
    case "tool-progress":
    case "tool-end":
    case "agent-event":
      return isOfWait(event) ? undefined : event;
    case "run-end":
      return withClientCalls(event);
    default:
      return event;
  }
}

function isOfWait({ type, parentToolCallId, toolCall, toolName, result, event }: EventShape): boolean {
  if (type === "agent-event") return event !== undefined && isOfWait(event);
  const { toolName: name = toolName ?? "" }: { readonly toolName?: string } = toolCall ?? Object(result);
  // A model may have called a tool of that name: its calls are not within another.
  return parentToolCallId !== undefined && isWait({ toolName: name });
}

function withClientCalls<Event extends { readonly type: string; readonly result?: unknown }>(
  event: Event,
): Event {
  const { pending }: { readonly pending?: readonly PendingCall[] } = Object(event.result);
  if (!Array.isArray(pending)) return event;
  const calls = clientCalls(pending);
  if (calls.length === pending.length) return event;
  // The result of a run that is not stored has more than its fields.
  const result: unknown = Object.create(Object(event.result), {
    pending: { value: calls, enumerable: true },
  });
  return { ...event, result };
}

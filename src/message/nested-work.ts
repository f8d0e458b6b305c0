import type { NestedWork, PendingCall } from "./run-state.ts";

/** The pending calls as a program decides on them: in place of one that waits for calls made within it, those. */
export function decidableCalls(
  pending: readonly PendingCall[],
  nested: readonly NestedWork[],
): readonly PendingCall[] {
  const workById = new Map(nested.map((work) => [work.toolCallId, work]));
  return pending.flatMap((call) => {
    const work = workById.get(call.toolCallId);
    const calls = work ? callsWithin(work) : [];
    return calls.length > 0 ? calls : [call];
  });
}

/** The calls that wait within a call, at any depth. */
export function callsWithin({ toolCallId, steps }: NestedWork): readonly PendingCall[] {
  const parent = { parentToolCallId: toolCallId };
  return steps.flatMap((step) => {
    if ("waiting" in step) return [{ ...step.waiting, ...parent }];
    if (!("state" in step)) return [];
    const { agent, pending } = step.state;
    return pending.map((call) => ({ agent, ...call, ...parent }));
  });
}

import { isPlainObject } from "../base/util/json.ts";
import type { NestedStep, NestedWork, PendingCall, RunState } from "./run-state.ts";
import { printCallOfAgent } from "./step-key.ts";
import { callerOf } from "./unanswered-calls.ts";

/** The pending calls as a program decides on them: in place of one that waits for calls made within it, those. */
export function decidableCalls(
  pending: readonly PendingCall[],
  nested: readonly NestedWork[],
): readonly PendingCall[] {
  const workById = new Map(nested.map((work) => [work.toolCallId, work]));
  return pending.flatMap((call) => {
    const work = workById.get(call.toolCallId);
    // It needs nothing but the result of an equal call, which is among them.
    if (work?.sharedWith !== undefined) return [];
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
    return callsOf(step.state).map((call) => ({ ...call, toolCallId: idWithin(step.step, call), ...parent }));
  });
}

/** The pending calls of an agent within a run, each with the agent that made it: another one may be active since. */
export function callsOf({ agent, messages, pending }: RunState): readonly PendingCall[] {
  const caller = callerOf(messages) ?? agent;
  return pending.map((call) => ({ agent: caller, ...call }));
}

/** What a decision on a pending call, or a result of it, names it by. */
export function requestId({
  approvalId,
  toolCallId,
}: Pick<PendingCall, "approvalId" | "toolCallId">): string {
  return approvalId ?? toolCallId;
}

/**
 * The id by which a call of an agent is known to the run around it. A result names its call by the id alone, and agents number their
 * calls alike; a decision has an id of its own.
 * @param step - The key of the agent's run.
 */
export function idWithin(
  step: string,
  { toolCallId, approvalId }: Pick<PendingCall, "approvalId" | "toolCallId">,
): string {
  return approvalId === undefined ? `${step}/${toolCallId}` : toolCallId;
}

/**
 * The ids of calls that wait within a call for a result from elsewhere, and have it: tools have taken these results in a process that died.
 * @param steps - What the call has done.
 * @param stored - What the session has of steps.
 */
export function takenResults(
  steps: Iterable<NestedStep>,
  stored: ReadonlyMap<string, unknown> | undefined,
): readonly string[] {
  if (!stored || stored.size === 0) return [];
  return [...steps].flatMap((step) => {
    if ("waiting" in step)
      return step.waiting.approvalId === undefined && isStored(step.step, stored)
        ? [step.waiting.toolCallId]
        : [];
    if (!("state" in step)) return [];
    const within = (step.state.nested ?? []).flatMap((work) => work.steps);
    return [...takenByAgent(step, stored), ...takenResults(within, stored)].map((toolCallId) =>
      idWithin(step.step, { toolCallId }),
    );
  });
}

/**
 * The ids of an agent's own calls that wait for a result from elsewhere, and have it: the agent has taken it in a process that died.
 * @param stored - What the session has of steps.
 */
export function takenByAgent(
  { step, state }: Extract<NestedStep, { readonly state: unknown }>,
  stored: ReadonlyMap<string, unknown> | undefined,
): readonly string[] {
  if (!stored || stored.size === 0) return [];
  return state.pending.flatMap(({ toolCallId, approvalId, parentToolCallId }) => {
    const isOwn = approvalId === undefined && parentToolCallId === undefined;
    return isOwn && stored.has(printCallOfAgent(step, state.turn, toolCallId)) ? [toolCallId] : [];
  });
}

/** Whether it is stored what a step came to. A masked result is needed again. */
function isStored(key: string, stored: ReadonlyMap<string, unknown>): boolean {
  const value = stored.get(key);
  return stored.has(key) && !(isPlainObject(value) && value["isMasked"] === true);
}

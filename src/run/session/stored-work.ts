import { sameJson } from "../../base/util/same-json.ts";
import type { Message } from "../../message/messages.ts";
import type { NestedStep, NestedWork, PendingApproval, RunState } from "../../message/run-state.ts";

/** What a call has done, as a session keeps it: what the state before it has is not written once more. */
export interface StoredWork extends Omit<NestedWork, "steps"> {
  /** A key stands for the step of that key, which is what it was. */
  readonly steps: readonly (NestedStep | StoredAgent | string)[];
}

/** An agent that has paused again. */
export interface StoredAgent {
  readonly step: string;
  readonly state: Omit<RunState, "messages" | "nested"> & {
    /** A pair stands for the agent's messages of before, from the first place up to, and without, the second. */
    readonly messages: readonly (Message | readonly [number, number])[];
    readonly nested?: readonly StoredWork[];
  };
}

type Steps = ReadonlyMap<string, NestedStep>;

/** What is to be written of the approvals of now: those that are kept already, by their ids. */
export function changesOfApprovals(
  before: readonly PendingApproval[],
  now: readonly PendingApproval[],
): readonly (PendingApproval | string)[] {
  const earlier = approvalsById(before);
  return now.map((approval) =>
    sameJson(earlier.get(approval.approvalId), approval) ? approval.approvalId : approval,
  );
}

/**
 * The approvals that were written, with those of the state before.
 * @throws RangeError where that has not what they refer to.
 */
export function withEarlierApprovals(
  before: readonly PendingApproval[],
  stored: readonly (PendingApproval | string)[],
): readonly PendingApproval[] {
  const earlier = approvalsById(before);
  return stored.map((approval) => (typeof approval === "string" ? present(earlier.get(approval)) : approval));
}

function approvalsById(approvals: readonly PendingApproval[]): ReadonlyMap<string, PendingApproval> {
  return new Map(approvals.map((approval) => [approval.approvalId, approval]));
}

/** What is to be written of the work of now, where that of `before` is kept. */
export function changesOfWork(
  before: readonly NestedWork[],
  now: readonly NestedWork[],
): readonly StoredWork[] {
  return now.map((work) => {
    const earlier = stepsOf(before, work.toolCallId);
    return { ...work, steps: work.steps.map((step) => changeOf(earlier.get(step.step), step)) };
  });
}

function changeOf(before: NestedStep | undefined, now: NestedStep): NestedStep | StoredAgent | string {
  if (sameJson(before, now)) return now.step;
  if (!before || !("state" in before) || !("state" in now)) return now;
  const { messages, nested, ...state } = now.state;
  const changed = {
    ...state,
    messages: changesOfMessages(before.state.messages, messages),
    ...(nested && { nested: changesOfWork(before.state.nested ?? [], nested) }),
  };
  return { step: now.step, state: changed };
}

/** Messages grow at their end; what a compaction has changed is written. */
function changesOfMessages(
  before: readonly Message[],
  now: readonly Message[],
): readonly (Message | readonly [number, number])[] {
  let count = 0;
  while (count < now.length && count < before.length && sameJson(before[count], now[count])) count++;
  return count === 0 ? now : [[0, count], ...now.slice(count)];
}

/**
 * The work that was written, with what the state before it has.
 * @throws RangeError where that has not what it refers to.
 */
export function withEarlierWork(
  before: readonly NestedWork[],
  stored: readonly StoredWork[],
): readonly NestedWork[] {
  return stored.map((work) => {
    const earlier = stepsOf(before, work.toolCallId);
    return { ...work, steps: work.steps.map((step) => stepOf(earlier, step)) };
  });
}

function stepOf(earlier: Steps, stored: NestedStep | StoredAgent | string): NestedStep {
  if (typeof stored === "string") return present(earlier.get(stored));
  if (!("state" in stored)) return stored;
  const before = earlier.get(stored.step);
  const [messagesBefore, workBefore] =
    before && "state" in before ? [before.state.messages, before.state.nested ?? []] : [[], []];
  const { messages, nested, ...state } = stored.state;
  const whole: RunState = {
    ...state,
    messages: messages.flatMap((item) => (isRange(item) ? messagesIn(messagesBefore, item) : [item])),
    ...(nested && { nested: withEarlierWork(workBefore, nested) }),
  };
  return { step: stored.step, state: whole };
}

function messagesIn(
  messages: readonly Message[],
  [start, end]: readonly [number, number],
): readonly Message[] {
  const range = messages.slice(start, end);
  return present(range.length === end - start ? range : undefined);
}

/** Whether an entry of a list of messages stands for some that were there before. */
export function isRange(item: Message | readonly [number, number]): item is readonly [number, number] {
  return Array.isArray(item);
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new RangeError("it refers to what is not there");
  return value;
}

function stepsOf(works: readonly NestedWork[], toolCallId: string): Steps {
  const work = works.find((each) => each.toolCallId === toolCallId);
  return new Map(work?.steps.map((step) => [step.step, step]));
}

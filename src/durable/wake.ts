import type { PendingCall } from "../message/run-state.ts";
import { runOf, sleepsUntil, waitsUntil } from "../message/waits.ts";

/** Until when calls that wait may be decided on, by their approval ids, in milliseconds since 1970. */
export type Deadlines = Readonly<Record<string, number>>;

/**
 * The deadlines of the approvals that a run waits for: a new one begins with the pause in which it is asked for.
 * @param timeout - For how long they may be decided on, in milliseconds; for ever if left out.
 */
export function deadlinesOf(
  pending: readonly PendingCall[],
  earlier: Deadlines,
  timeout: number | undefined,
): Deadlines {
  if (timeout === undefined || timeout === Number.POSITIVE_INFINITY) return {};
  const until = Date.now() + Math.ceil(Math.min(timeout, longestTime));
  const deadlines = new Map(Object.entries(earlier));
  return Object.fromEntries(
    pending.flatMap(({ approvalId }) =>
      approvalId === undefined ? [] : [[approvalId, deadlines.get(approvalId) ?? until]],
    ),
  );
}

/** Ten thousand years: what is longer is never, and no number for a database. */
const longestTime = 315_360_000_000_000;

/** The approvals that nobody may decide on any more. */
export function expiredApprovals(deadlines: Deadlines = {}): ReadonlySet<string> {
  const now = Date.now();
  return new Set(Object.entries(deadlines).flatMap(([id, until]) => (until <= now ? id : [])));
}

/** Whether a run goes on by itself: it waits for nothing but time and other runs. */
export function goesOnAlone(pending: readonly PendingCall[]): boolean {
  const isAlone = (call: PendingCall): boolean =>
    sleepsUntil(call) !== undefined || runOf(call) !== undefined;
  return pending.some(isAlone) && pending.every((call) => isAlone(call) || isForRun(call));
}

/** Whether a pending call is the run's own to make, such as one that refers to the result of another that waits. */
function isForRun({ approvalId, input }: PendingCall): boolean {
  return approvalId === undefined && input === undefined;
}

/**
 * In how many milliseconds a run that has paused goes on by itself; `undefined` if it does not.
 * @param unused - The ids of calls that had their results just now, and wait still: the same again would be of no more use at once.
 */
export function wakesIn(
  pending: readonly PendingCall[],
  deadlines: Deadlines,
  unused: ReadonlySet<string> = new Set(),
): number | undefined {
  const now = Date.now();
  const isUnused = ({ toolCallId }: PendingCall): boolean => unused.has(toolCallId);
  const times = [
    ...pending.flatMap((call) => (isUnused(call) ? [] : (sleepsUntil(call) ?? waitsUntil(call) ?? []))),
    ...(pending.some(isUnused) ? [now + lookAgain] : []),
    ...Object.values(deadlines),
    ...(pending.some((call) => runOf(call) !== undefined) ? [now + lookAgain] : []),
  ];
  return times.length === 0 ? undefined : Math.max(0, Math.ceil(Math.min(...times)) - now);
}

/** A run that ends wakes the one that waits for it. Should its process die before it does: when to look, in milliseconds. */
const lookAgain = 30_000;

import type { Message, ToolResult } from "../message/messages.ts";
import { requestId } from "../message/nested-work.ts";
import type { PendingCall } from "../message/run-state.ts";
import { isOwnWait, runOf, tokenOf } from "../message/waits.ts";
import type { RunEvent } from "../run/types.ts";
import { readEntries } from "../run/session/read-session.ts";
import { answersIn } from "./inbox.ts";
import type { DurableStore } from "./store.ts";
import {
  type AwaitedCall,
  type DurableStatus,
  endedStatuses,
  type StoredError,
  type StoredRun,
} from "./stored-run.ts";

// What runs wait for that another run waits for: who has that one decides, since nobody else knows of the others.

/** What the runs that a run waits for need from a person or a program. */
export interface Awaited {
  readonly calls: readonly AwaitedCall[];
  /** Those whose answers have come already, and were not carried out yet. */
  readonly answered: readonly AwaitedCall[];
  /** Why an answer to one of them was not carried out. */
  readonly error?: StoredError;
}

/**
 * The calls of the runs that a run waits for, and of those that they wait for.
 * @param waiting - The calls of the run that wait.
 * @param which - `"open"`: all that may be answered; `"paused"`: those of runs that do nothing until then.
 */
export async function awaitedCalls(
  store: DurableStore,
  waiting: readonly PendingCall[],
  which: "open" | "paused",
): Promise<Awaited> {
  const calls: AwaitedCall[] = [];
  const answered: AwaitedCall[] = [];
  let problem: StoredError | undefined;
  for (const wait of waiting) {
    const id = runOf(wait);
    const run = id === undefined ? undefined : await store.read(id);
    if (!run || !(which === "paused" ? run.status === "paused" : isOpen(run))) continue;
    const { agent, data } = run;
    const own = data.report?.pending ?? [];
    const within = await awaitedCalls(store, own, which);
    const toAwaited = (call: PendingCall): AwaitedCall => ({
      run: run.id,
      own: call.toolCallId,
      call: shownCall(call, agent, wait),
    });
    const hasAnswer = answersIn(data.inbox);
    for (const call of own.filter(needsAnswer)) (hasAnswer(call) ? answered : calls).push(toAwaited(call));
    calls.push(...within.calls.map(({ call }) => toAwaited(call)));
    answered.push(...within.answered.map(({ call }) => toAwaited(call)));
    problem ??= data.error ?? within.error;
  }
  return { calls, answered, ...(problem && { error: problem }) };
}

/** Whether a run has paused, and not ended: while it works, those of its calls wait that were not decided on. */
function isOpen({ status, data: { report } }: StoredRun): boolean {
  return report?.status === "paused" && !endedStatuses.includes(status);
}

/** Whether a call waits for an answer that a person or a program has. */
function needsAnswer(call: PendingCall): boolean {
  if (isOwnWait(call)) return tokenOf(call) !== undefined;
  return call.approvalId !== undefined || call.input !== undefined;
}

/** A call as the run shows it that waits for the run which makes it: agents number their calls alike. */
function shownCall(call: PendingCall, agent: string, wait: PendingCall): PendingCall {
  const { parentToolCallId = wait.toolCallId } = wait;
  const toolCallId = `${parentToolCallId}/${agent}/${call.toolCallId}`;
  return { agent, ...call, toolCallId, parentToolCallId };
}

/** Whether two lists have the same calls. */
export function sameCalls(a: readonly AwaitedCall[], b: readonly AwaitedCall[]): boolean {
  const ids = (calls: readonly AwaitedCall[]): string => calls.map(({ call }) => requestId(call)).join("\n");
  return ids(a) === ids(b);
}

/** What became of calls that another run has shown as its own. */
export interface Outcomes {
  readonly events: readonly RunEvent[];
  /** Those that have no result yet. */
  readonly rest: readonly AwaitedCall[];
}

/**
 * What became of calls that clients have seen as waiting and that do not wait any more, as events of the run that has shown them.
 * @param agent - The agent of that run.
 */
export async function outcomesOf(
  store: DurableStore,
  agent: string,
  answered: readonly AwaitedCall[],
): Promise<Outcomes> {
  const events: RunEvent[] = [];
  const rest: AwaitedCall[] = [];
  for (const awaited of answered) {
    if (isOwnWait(awaited.call)) continue;
    const run = await store.read(awaited.run);
    const { messages } = readEntries(run ? await store.load(run.log) : []);
    const result = resultIn(messages, awaited.own);
    if (run && result) events.push(...eventsOf(awaited.call, result, agent, run.status));
    else rest.push(awaited);
  }
  return { events, rest };
}

/**
 * Calls of other runs as events of the run that shows them: as those of agents within it.
 * @param agent - The agent of that run.
 * @param before - Calls that it has shown before: their inputs are not shown again.
 */
export function eventsOfWaiting(
  calls: readonly AwaitedCall[],
  agent: string,
  before: readonly AwaitedCall[],
): readonly RunEvent[] {
  const earlier = new Set(before.map(({ call }) => requestId(call)));

  return calls.flatMap(({ call }): readonly RunEvent[] => {
    const { toolCallId, toolName, arguments: text, parentToolCallId, approvalId } = call;
    const { agent: caller = "", input = null } = call;
    // A token is the program's alone, as that of an agent within the run.
    if (parentToolCallId === undefined || isOwnWait(call)) return [];
    const around = { type: "agent-event", index: 0, agent, parentToolCallId } as const;
    const toolCall = { toolCallId, toolName, arguments: text };
    const delta = { type: "tool-input-delta", index: 0, agent: caller, toolCallId, toolName, text } as const;
    const request = { type: "approval-request", index: 0, agent: caller, toolCall, input } as const;
    return [
      ...(earlier.has(requestId(call)) ? [] : [{ ...around, event: delta }]),
      { ...around, event: { type: "run-end", index: 1, agent: caller, status: "paused" } },
      ...(approvalId === undefined ? [] : [{ ...request, approvalId, parentToolCallId }]),
    ];
  });
}

/** A short run of the agent that made the call, within the one that has shown it. */
function eventsOf(
  call: PendingCall,
  result: ToolResult,
  agent: string,
  status: DurableStatus,
): readonly RunEvent[] {
  const { toolCallId, toolName, arguments: text, parentToolCallId, agent: caller = "" } = call;
  if (parentToolCallId === undefined || isOwnWait(call)) return [];
  const around = { type: "agent-event", index: 0, agent, parentToolCallId } as const;
  const toolCall = { toolCallId, toolName, arguments: text };
  const hasEnded = status === "completed" || status === "failed" || status === "cancelled";
  const inner = { agent: caller } as const;
  return [
    { ...around, event: { ...inner, index: 0, type: "tool-start", toolCall } },
    {
      ...around,
      event: { ...inner, index: 1, type: "tool-end", result: { ...result, toolCallId }, durationMs: 0 },
    },
    { ...around, event: { ...inner, index: 2, type: "run-end", status: hasEnded ? status : "paused" } },
  ];
}

function resultIn(messages: readonly Message[], toolCallId: string): ToolResult | undefined {
  const message = messages.findLast((each) => each.role === "tool" && each.result.toolCallId === toolCallId);
  return message?.role === "tool" ? message.result : undefined;
}

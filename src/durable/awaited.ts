import type { Message, ToolResult } from "../message/messages.ts";
import { requestId } from "../message/nested-work.ts";
import type { PendingCall } from "../message/run-state.ts";
import { isOwnWait, runOf } from "../message/waits.ts";
import type { RunEvent } from "../run/types.ts";
import { readEntries } from "../run/session/read-session.ts";
import { changeStored } from "./change-stored.ts";
import type { DurableStore } from "./store.ts";
import type { AwaitedCall, DurableStatus, StoredError } from "./stored-run.ts";
import type { RunAnswers } from "./types.ts";

// What runs wait for that another run waits for: who has that one decides, since nobody else knows of the others.

/** What the runs that a run waits for need from a person or a program. */
export interface Awaited {
  readonly calls: readonly AwaitedCall[];
  /** Why an answer to one of them was not carried out. */
  readonly error?: StoredError;
}

/**
 * The calls of the runs that a run waits for, and of those that they wait for.
 * @param waiting - The calls of the run that wait.
 */
export async function awaitedCalls(store: DurableStore, waiting: readonly PendingCall[]): Promise<Awaited> {
  const calls: AwaitedCall[] = [];
  let problem: StoredError | undefined;
  for (const wait of waiting) {
    const id = runOf(wait);
    const run = id === undefined ? undefined : await store.read(id);
    if (run?.status !== "paused") continue;
    const { agent, data } = run;
    const own = data.report?.pending ?? [];
    const within = await awaitedCalls(store, own);
    const open = [...own.filter(needsAnswer), ...within.calls.map(({ call }) => call)];
    calls.push(
      ...open.map((call) => ({ run: run.id, own: call.toolCallId, call: shownCall(call, agent, wait) })),
    );
    problem ??= data.error ?? within.error;
  }
  return { calls, ...(problem && { error: problem }) };
}

/** Whether a call waits for an answer that a person or a program has. */
function needsAnswer(call: PendingCall): boolean {
  return !isOwnWait(call) && (call.approvalId !== undefined || call.input !== undefined);
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
 */
export function eventsOfWaiting(calls: readonly AwaitedCall[], agent: string): readonly RunEvent[] {
  return calls.flatMap(({ call }): readonly RunEvent[] => {
    const { toolCallId, toolName, arguments: text, parentToolCallId, approvalId } = call;
    const { agent: caller = "", input = null } = call;
    if (parentToolCallId === undefined) return [];
    const around = { type: "agent-event", index: 0, agent, parentToolCallId } as const;
    const toolCall = { toolCallId, toolName, arguments: text };
    const delta = { type: "tool-input-delta", index: 0, agent: caller, toolCallId, toolName, text } as const;
    const request = { type: "approval-request", index: 0, agent: caller, toolCall, input } as const;
    return [
      { ...around, event: delta },
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
  if (parentToolCallId === undefined) return [];
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

/** Has the runs work again that wait for one which was answered, and those that wait for them: it is not a person that they wait for now. */
export async function resumeParents(store: DurableStore, parent: string | undefined): Promise<void> {
  for (let id = parent; id !== undefined;) {
    let next: string | undefined;
    await changeStored(store, id, ({ status, data }) => {
      next = data.parent;
      if (status !== "paused" || !data.awaited) return undefined;
      const { error: _, ...rest } = data;
      return {
        status: "queued",
        due: { in: 0 },
        data: { ...rest, awaited: { ...data.awaited, isAnswered: true } },
      };
    });
    id = next;
  }
}

/** Answers by who they are for. */
interface SortedAnswers {
  readonly own: Required<RunAnswers>;
  /** By the ids of the runs that wait for them. */
  readonly ofRuns: ReadonlyMap<string, Required<RunAnswers>>;
}

/** Sorts answers to a run by those that it waits for itself, and those of the runs that it waits for. */
export function sortAnswers(
  { decisions, results }: Required<RunAnswers>,
  calls: readonly AwaitedCall[],
): SortedAnswers {
  const byId = new Map(calls.map((awaited) => [requestId(awaited.call), awaited]));
  const ofRuns = new Map<string, Required<RunAnswers>>();
  const add = (run: string, answers: RunAnswers): void => {
    const before = ofRuns.get(run) ?? { decisions: [], results: [] };
    ofRuns.set(run, {
      decisions: [...before.decisions, ...(answers.decisions ?? [])],
      results: [...before.results, ...(answers.results ?? [])],
    });
  };
  const own = {
    decisions: decisions.filter((decision) => {
      const awaited = byId.get(decision?.approvalId);
      if (awaited) add(awaited.run, { decisions: [decision] });
      return !awaited;
    }),
    results: results.filter((result) => {
      const awaited = byId.get(result?.toolCallId);
      if (awaited) add(awaited.run, { results: [{ ...result, toolCallId: awaited.own }] });
      return !awaited;
    }),
  };
  return { own, ofRuns };
}

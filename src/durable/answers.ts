import { InvalidInputError } from "../errors.ts";
import { requestId } from "../message/nested-work.ts";
import type { ApprovalDecision, PendingCall } from "../message/run-state.ts";
import { readEntries } from "../run/session/read-session.ts";
import type { ExternalResult } from "../run/types.ts";
import { AnswerChecks, byName } from "./answer-checks.ts";
import { type Awaited, awaitedCalls } from "./awaited.ts";
import { DurableRunError, notFound } from "./errors.ts";
import { undecidedCalls, waitingCalls } from "./inbox.ts";
import type { DurableStore, RunChange } from "./store.ts";
import {
  type AwaitedCall,
  endedStatuses,
  type InboxItem,
  type RunData,
  type StoredRun,
} from "./stored-run.ts";
import type { RunAnswers } from "./types.ts";

/** A run, and what has come for calls of it. */
export interface AnsweredRun {
  readonly run: StoredRun;
  readonly items: readonly InboxItem[];
}

/**
 * Finds out which runs answers are for: the one that they were sent to, and those that it waits for. Nothing is written: all of them are
 * checked before.
 * @returns the runs that something is for.
 * @throws InvalidInputError for what does not fit; DurableRunError (`run-ended`)
 */
export async function checkedAnswers(
  store: DurableStore,
  run: StoredRun,
  { decisions = [], results = [] }: RunAnswers,
): Promise<readonly AnsweredRun[]> {
  const { id, log, status, data } = run;
  if (endedStatuses.includes(status)) throw ended(id, `${status}: no call of it waits.`);
  const conversation = readEntries(await store.load(log));
  if (conversation.state?.runId !== id)
    throw new InvalidInputError(`The run "${id}" has not begun: no call of it waits.`);
  if (decisions.length + results.length === 0) return [];
  const awaited = await awaitedCalls(store, waitingCalls(conversation), "open");
  const undecided = undecidedCalls(conversation, data.inbox);
  const { own, ofRuns } = sortAnswers({ decisions, results }, awaited, undecided);
  const others = awaited.calls.map(({ call }) => call);
  const checks = new AnswerChecks(conversation, data.inbox, others);
  const items = [
    ...own.decisions.map((decision) => checks.decision(decision)),
    ...own.results.map((result) => checks.result(result)),
  ];
  const answered: AnsweredRun[] = items.length > 0 ? [{ run, items }] : [];
  for (const [child, answers] of ofRuns) {
    const within = await store.read(child);
    if (!within) throw notFound(child);
    answered.push(...(await checkedAnswers(store, within, answers)));
  }
  return answered;
}

/** Puts answers into the inbox of a run, and wakes it. */
export function answeredChange(
  { status, data }: StoredRun,
  items: readonly InboxItem[],
): RunChange & { readonly data: RunData } {
  const { error: problem, ...rest } = data;
  const inbox = [...data.inbox, ...items];
  // Why an answer before this one was not carried out, unless some of those are still to be.
  const change = { data: { ...rest, inbox, ...(data.isOneByOne && problem && { error: problem }) } };
  // One that is queued may be asleep.
  const isToGoOn = status === "paused" || status === "queued";
  return isToGoOn ? { ...change, status: "queued", due: { in: 0 } } : change;
}

/** The error for a run that has ended, and is to do more. */
export function ended(id: string, what: string): DurableRunError {
  return new DurableRunError(`The run "${id}" is ${what}`, "run-ended", { id });
}

/** Answers by who they are for. */
interface SortedAnswers {
  readonly own: AnswerLists;
  /** By the ids of the runs that wait for them. */
  readonly ofRuns: ReadonlyMap<string, AnswerLists>;
}

interface AnswerLists {
  readonly decisions: ApprovalDecision[];
  readonly results: ExternalResult[];
}

/**
 * Sorts answers to a run by those that it waits for itself, and those of the runs that it waits for.
 * @param undecided - Its own calls without an answer.
 */
function sortAnswers(
  { decisions, results }: Required<RunAnswers>,
  awaited: Awaited,
  undecided: readonly PendingCall[],
): SortedAnswers {
  const byId = new Map([...awaited.answered, ...awaited.calls].map((each) => [requestId(each.call), each]));
  const awaitedByName = byName(awaited.calls, ({ call }) => call);
  const undecidedByName = byName(undecided, (call) => call);
  /** The call of another run that waits for a token, if no other call does. */
  const waitingFor = (token: string): AwaitedCall | undefined => {
    const [only, another] = awaitedByName.get(token) ?? [];
    return another || undecidedByName.has(token) ? undefined : only;
  };
  const own: AnswerLists = { decisions: [], results: [] };
  const ofRuns = new Map<string, AnswerLists>();
  const listsOf = (call: AwaitedCall | undefined): AnswerLists => {
    if (!call) return own;
    const lists = ofRuns.get(call.run) ?? { decisions: [], results: [] };
    ofRuns.set(call.run, lists);
    return lists;
  };
  for (const decision of decisions) listsOf(byId.get(decision?.approvalId)).decisions.push(decision);
  for (const result of results) {
    const call = byId.get(result?.toolCallId);
    // By its token, it is named alike in the run that waits for it.
    const passed = call ? { ...result, toolCallId: call.own } : result;
    listsOf(call ?? waitingFor(result?.toolCallId)).results.push(passed);
  }
  return { own, ofRuns };
}

import type { AnyAgent } from "../agent/agent.ts";
import type { Message } from "../message/messages.ts";
import { requestId } from "../message/nested-work.ts";
import type { RunState } from "../message/run-state.ts";
import type { StoredConversation } from "../run/session/stored-conversation.ts";
import type { SessionEntry } from "../run/session/session.ts";
import { readEntries } from "../run/session/read-session.ts";
import { answerNotes } from "../run/state/notes-of-run.ts";
import { runAs } from "../run/run.ts";
import { awaitedCalls, eventsOfWaiting, outcomesOf, sameCalls } from "./awaited.ts";
import { hasStarted, resultsOfRuns, startDetached } from "./detached.ts";
import {
  endExecution,
  type Ending,
  failureEnding,
  isOfStore,
  reportOf,
  statusOf,
  storedError,
} from "./end-execution.ts";
import { EventRecorder } from "./event-recorder.ts";
import { LeaseLostError, overtaken } from "./errors.ts";
import type { Execution, ExecutionContext } from "./execution.ts";
import { openAnswers, overdueItems, undecidedCalls, waitingCalls } from "./inbox.ts";
import { logSession } from "./log-session.ts";
import { passOnOutbox } from "./outbox.ts";
import { RunWriter } from "./run-writer.ts";
import type { AwaitedCall, InboxItem, RunData, StoredRun } from "./stored-run.ts";
import { runBefore, unreceivedBy } from "./unreceived.ts";
import { expiredApprovals, goesOnAlone } from "./wake.ts";

/** How long a run waits whose store has failed, in milliseconds: longer each time once it has failed that often. */
const pauseAfterFailure = 1_000;
const patientFailures = 5;
const mostDoublings = 6;

/**
 * Executes a run that this process has claimed, until it pauses or ends, and stores what it came to. Never rejects.
 * @param signal - Aborted if the run is to end, or is not this process's any more: then the reason is a LeaseLostError.
 * @param hold - Makes sure that the run is this process's still, where that is in doubt.
 */
export async function executeRun(
  claimed: StoredRun,
  context: ExecutionContext,
  signal: AbortSignal,
  hold: Execution["hold"],
): Promise<void> {
  const { store, owner } = context;
  const lease = { id: claimed.id, owner };
  const writer = new RunWriter(store, lease);
  const events = new EventRecorder(claimed.progress, writer, store.eventDelay);
  const execution: Execution = { claimed, context, writer, events, signal, hold };
  try {
    await endExecution(execution, await perform(execution));
  } catch (error) {
    // The store has failed, or another process is to have the run: it goes on where that can be stored, and its events do not end.
    events.drop();
    const isLeft = error instanceof LeaseLostError;
    if (!isLeft) context.report(error, claimed.id);
    await giveUp(execution, isLeft ? 0 : pauseAfter(claimed));
  } finally {
    events.stop();
  }
}

/** Executes a run, or finds out why it cannot go on. Rejects where nobody knows what is stored. */
async function perform(execution: Execution): Promise<Ending> {
  const { claimed, context, events, signal } = execution;
  const { inbox, outbox, isOneByOne = false } = claimed.data;
  let items = isOneByOne ? inbox.slice(0, 1) : inbox;
  try {
    if (outbox) await passOnOutbox(context.store, claimed.id, outbox);
    const opened = await openExecution(execution);
    if (opened && !isOneByOne) items = await withOverdue(execution, opened.conversation);
    return await goOn(execution, items, opened);
  } catch (error) {
    if (signal.reason instanceof LeaseLostError) throw signal.reason;
    if (isOfStore(error)) throw error;
    const ending = failureEnding(error, items);
    const { report } = claimed.data;
    const { error: problem } = ending.data;
    if (ending.status === "stuck") events.endAs("stuck");
    if (ending.status === "paused" && report && problem)
      events.endAsPaused(claimed.agent, { result: report, error: problem });
    context.report(error, claimed.id);
    return ending;
  }
}

/** What is stored of a run that has begun, or is to begin. */
interface Opened {
  readonly agent: AnyAgent;
  readonly entries: readonly SessionEntry[];
  readonly conversation: StoredConversation;
  readonly hasBegun: boolean;
}

/** `undefined` for a run that is to be cancelled, or whose agent is missing. */
async function openExecution({ claimed, context }: Execution): Promise<Opened | undefined> {
  const agent = context.agents.get(claimed.agent);
  if (claimed.data.cancel || !agent) return undefined;
  const entries = await context.store.load(claimed.log);
  const conversation = readEntries(entries);
  return { agent, entries, conversation, hasBegun: conversation.state?.runId === claimed.id };
}

/**
 * The inbox, with what ends calls that have waited for too long: it is stored there, so that a decision which comes now is refused, and one that
 * has come before is carried out.
 */
async function withOverdue(
  { claimed, context: { store, owner }, writer }: Execution,
  conversation: StoredConversation,
): Promise<readonly InboxItem[]> {
  if (conversation.state?.runId !== claimed.id) return claimed.data.inbox;
  for (let current = claimed; ;) {
    const { data, revision } = current;
    const overdue = overdueItems(conversation, data.inbox, expiredApprovals(data.deadlines));
    const inbox = [...data.inbox, ...overdue];
    if (overdue.length === 0) return inbox;
    if (await writer.commit({ revision, change: { data: { ...data, inbox } } })) return inbox;
    const run = await store.read(claimed.id);
    if (run?.owner !== owner) throw new LeaseLostError(claimed.id);
    current = run;
  }
}

/** @param items - What of the inbox is to be carried out. */
async function goOn(
  execution: Execution,
  items: readonly InboxItem[],
  opened: Opened | undefined,
): Promise<Ending> {
  const { claimed, context, events } = execution;
  const { id, data } = claimed;
  if (data.cancel) return { status: "cancelled", data: {}, used: data.inbox };
  if (!opened) return { status: "stuck", data: { missing: `agent ${claimed.agent}` }, used: [] };
  const { agent, entries, conversation, hasBegun } = opened;
  // Its input would be taken for that of a new run, and its calls made again.
  if (!hasBegun && claimed.progress.hasEntries)
    return { status: "failed", data: { error: storedError(overtaken(id)) }, used: data.inbox };
  const answers = hasBegun ? await answersFor(execution, conversation, items) : noAnswers;
  if (answers === "none") return waitOn(execution, conversation, items);
  const turn = hasBegun ? (conversation.state?.turn ?? 0) : 0;
  const isShown = hasBegun && isOpenTurn(claimed, conversation);
  if ((claimed.progress.turn ?? 0) > turn && !isShown)
    events.restart(conversation.state?.agent ?? agent.name);
  const earlier = hasBegun ? undefined : await runBefore(context.store, claimed, conversation);
  const unreceived = unreceivedBy(earlier, conversation, data.request.input);
  if (data.awaited) await showAnswered(execution, []);
  const isTakeover = earlier !== undefined && earlier.agent !== claimed.agent;
  return run(execution, agent, { hasBegun, entries, answers, items, unreceived, isTakeover, isShown });
}

/** Whether readers have the beginning of a turn, and nothing else of it, whose model answers later. */
function isOpenTurn({ progress }: StoredRun, { state }: StoredConversation): boolean {
  const { turn = 0, turnAt = 0, next } = progress;
  const isAwaited = answerNotes(state?.notes).length > 0;
  return isAwaited && turn === (state?.turn ?? 0) + 1 && next === turnAt + beginningOfTurn.length;
}

/** What readers have of a turn before its model answers. */
const beginningOfTurn: readonly string[] = ["turn-start", "model-start"];

/** A run that still waits for all that it has paused for shows what the runs need that it waits for. */
async function waitOn(
  execution: Execution,
  conversation: StoredConversation,
  items: readonly InboxItem[],
): Promise<Ending> {
  const { claimed, context, events } = execution;
  const { report, awaited: before } = claimed.data;
  const { calls, error } = await awaitedCalls(context.store, waitingCalls(conversation), "paused");
  const answered = await showAnswered(execution, calls);
  const own = undecidedCalls(conversation, items);
  const pending = [...own, ...calls.map(({ call }) => call)];
  const isNew = before?.isAnswered === true || !sameCalls(before?.calls ?? [], calls);
  const earlier = new Set(before?.calls.map(({ call }) => requestId(call)));
  const added = calls.filter(({ call }) => !earlier.has(requestId(call)));
  for (const event of eventsOfWaiting(added, claimed.agent, before?.answered ?? [])) events.add(event);
  if (report && isNew && !goesOnAlone(pending))
    events.endAsPaused(claimed.agent, { result: { ...report, pending }, ...(error && { error }) });
  const awaited = calls.length + answered.length > 0 && { awaited: { calls, answered } };
  return { status: "paused", data: { ...(error && { error }), ...awaited }, pending: own, used: items };
}

/**
 * Adds what became of calls of other runs that this one has shown.
 * @param open - Those that still wait.
 * @returns those of which nothing has become yet.
 */
async function showAnswered(
  { claimed: { agent, data }, context, events }: Execution,
  open: readonly AwaitedCall[],
): Promise<readonly AwaitedCall[]> {
  const waiting = new Set(open.map(({ call }) => requestId(call)));
  const { calls = [], answered = [] } = data.awaited ?? {};
  const closed = [...answered, ...calls].filter(({ call }) => !waiting.has(requestId(call)));
  const outcomes = await outcomesOf(context.store, agent, closed);
  for (const event of outcomes.events) events.add(event);
  return outcomes.rest;
}

const noAnswers = { approvals: [], results: [] };

/** What has come for a run that goes on; `"none"` if it has paused, was woken, and still waits for all that it has paused for. */
async function answersFor(
  { claimed: { data }, context }: Execution,
  conversation: StoredConversation,
  items: readonly InboxItem[],
): Promise<ReturnType<typeof openAnswers> | "none"> {
  const waiting = waitingCalls(conversation);
  const ended = await resultsOfRuns(context.store, waiting);
  const answers = openAnswers(conversation, items, waiting, ended);
  // A process that died, or a failure, may have left the row without what the run has paused for.
  const { status, pending = [] } = data.report ?? {};
  const ids = new Set(pending.map(requestId));
  const isKnown = status === "paused" && waiting.every((call) => ids.has(requestId(call)));
  if (conversation.state?.status !== "paused" || waiting.length === 0 || !isKnown) return answers;
  const isNothingNew = answers.approvals.length + answers.results.length === 0;
  return isNothingNew && undecidedCalls(conversation, items).length === waiting.length ? "none" : answers;
}

/** What a run starts with, or goes on with. */
interface Beginning {
  readonly hasBegun: boolean;
  readonly entries: readonly SessionEntry[];
  readonly answers: ReturnType<typeof openAnswers>;
  readonly items: readonly InboxItem[];
  /** What the user has sent to the run before it, and that one has not received. */
  readonly unreceived: readonly Message[];
  /** Whether it is started with another agent than the run before it. */
  readonly isTakeover: boolean;
  /** Whether readers have the beginning of its turn: the model was asked before. */
  readonly isShown: boolean;
}

async function run(
  { claimed, context, writer, events, signal, hold }: Execution,
  agent: AnyAgent,
  { hasBegun, entries, answers: { approvals, results }, items, unreceived, isTakeover, isShown }: Beginning,
): Promise<Ending> {
  const { id, log, data } = claimed;
  const { store, agents, options } = context;
  // Where a person or a program has had it go on, the limits begin again.
  const before = items.length > 0 ? undefined : data.spent;
  const repeated = new Set(isShown ? beginningOfTurn : []);
  const { tools = [], settings, model } = data.request;
  // The form that a program has its answers in is not that of agents which others run on their own.
  const { output: outputOfAll, ...limits } = options;
  const output = data.request.output ?? (data.parent === undefined ? outputOfAll : undefined);
  const callerTools =
    tools.length > 0 ? (await import("../run/caller-tools.ts")).compileCallerTools(tools) : undefined;
  const result = await runAs(
    // What the agent sets itself counts more than what the run was started with.
    settings ? agent.with({ settings: { ...settings, ...agent.settings } }) : agent,
    hasBegun ? [] : [...unreceived, ...data.request.input],
    {
      ...limits,
      ...(output && { output }),
      ...(model !== undefined && { model }),
      ...(!hasBegun && data.request.context !== undefined && { context: data.request.context }),
      session: logSession(store, log, writer, entries, events, signal),
      signal,
      ...(approvals.length > 0 && { approvals }),
      ...(results.length > 0 && { results }),
    },
    {
      runId: id,
      callerTools,
      isTakeover,
      listener: (event) => {
        // Not how it was left: it goes on elsewhere.
        if (!(signal.reason instanceof LeaseLostError) && !repeated.delete(event.type)) events.add(event);
      },
      place: "start()",
      onModelCall: (call) => events.count(call),
      durable: {
        turns: items.length > 0 ? 0 : (data.turns ?? 0),
        counts: items.length > 0 ? {} : countsOf(data),
        spent: before,
        startDetached: async (detached) => {
          try {
            return await startDetached(store, claimed, agents, detached);
          } catch (error) {
            // Nobody knows whether it is there: the model must not read that it failed. Another execution starts it once.
            if (isOfStore(error)) writer.fail(error);
            throw error;
          }
        },
        hasStarted: (step) => hasStarted(claimed, step),
        hold,
        userMessages: async () => (await store.read(id))?.data.userMessages ?? [],
      },
    },
  );
  if (signal.reason instanceof LeaseLostError) throw signal.reason;
  const { received = 0 } = result.state;
  const isLimited = options.maxTokens !== undefined || options.maxCost !== undefined;
  const spent = isLimited && (await import("../run/budget.ts")).spentWith(options, result.modelCalls, before);
  return {
    status: statusOf(result),
    data: { report: reportOf(result) },
    used: items,
    answered: new Set(results.map(({ toolCallId }) => toolCallId)),
    received,
    ...(spent && { spent }),
    counts: countsOf(result.state),
  };
}

function countsOf({
  toolCalls,
  isCallLimitReached,
}: RunData | RunState): Pick<RunData, "toolCalls" | "isCallLimitReached"> {
  return { ...(toolCalls !== undefined && { toolCalls }), ...(isCallLimitReached && { isCallLimitReached }) };
}

function pauseAfter({ attempts, data: { pausedAfter = 0 } }: StoredRun): number {
  const doublings = Math.min(Math.max(0, attempts - pausedAfter - patientFailures), mostDoublings);
  return pauseAfterFailure * 2 ** doublings;
}

/**
 * Lets another process have the run, if this one still has it.
 * @param pause - In how many milliseconds.
 */
async function giveUp({ claimed, context }: Execution, pause: number): Promise<void> {
  const { store, owner } = context;
  const { id, attempts } = claimed;
  const change = { status: "queued", due: { in: pause }, owner: null } as const;
  try {
    for (;;) {
      const current = await store.read(id);
      // It was claimed again since.
      if (current?.owner !== owner || current.attempts !== attempts) return;
      if (await store.commit({ id, owner }, { revision: current.revision, change })) return;
    }
  } catch {
    // It is another's already, or the store does not answer: then the lease runs out.
  }
}

import { ModelError, SkeinError, UnsupportedPartError } from "../errors.ts";
import { safeMessage } from "../base/util/error-message.ts";
import { withoutSecrets } from "../model/secrets.ts";
import type { Spent } from "../run/budget.ts";
import type { RunResult } from "../run/result-types.ts";
import { abandonAnswers } from "./abandon-answers.ts";
import { awaitedCalls, sameCalls } from "./awaited.ts";
import { cancelWithin } from "./cancel-run.ts";
import { resultsOfRuns, runsWithin } from "./detached.ts";
import { LeaseLostError } from "./errors.ts";
import type { Execution } from "./execution.ts";
import type { DurableStore, EventWrite, RunChange } from "./store.ts";
import {
  type DurableReport,
  type DurableStatus,
  endedStatuses,
  type InboxItem,
  type RunData,
  type StoredError,
  type StoredRun,
} from "./stored-run.ts";
import { wakeParent, wakeRun } from "./wake-run.ts";
import { deadlinesOf, goesOnAlone, wakesIn } from "./wake.ts";

/** How an execution ended. */
export interface Ending {
  readonly status: DurableStatus;
  readonly data: Pick<RunData, "report" | "error" | "missing" | "isOneByOne" | "awaited">;
  /** The ids of the calls that had results. */
  readonly answered?: ReadonlySet<string>;
  /** What still waits, where a process that died may have left the report with more. */
  readonly pending?: DurableReport["pending"];
  /** What of the inbox is in the conversation now, or is refused. */
  readonly used: readonly InboxItem[];
  /** How many of the messages that were sent to the run it has received. */
  readonly received?: number;
  /** What its answers have taken since a person or a program has last had it go on, where that is limited. */
  readonly spent?: Spent;
  /** Its calls of tools since then, where those are limited. */
  readonly counts?: Pick<RunData, "toolCalls" | "isCallLimitReached">;
}

/** Errors of a build that lacks something: another one may have it. */
const codesOfBuilds: ReadonlySet<string> = new Set(["agent-not-found", "tool-missing", "schema-not-found"]);

/** What the run came to when it threw an error. */
export function failureEnding(error: unknown, items: readonly InboxItem[]): Ending {
  const code = error instanceof SkeinError ? error.code : undefined;
  if (code !== undefined && codesOfBuilds.has(code))
    return { status: "stuck", data: { missing: safeMessage(error) }, used: [] };
  const data = { error: storedError(error) };
  // What has come and is not in the conversation yet is carried out once the run is tried again.
  if (code !== "invalid-input" || items.length === 0) return { status: "failed", data, used: [] };
  // One of them cannot be carried out, and nothing was done: the others must not be lost with it.
  if (items.length > 1) return { status: "queued", data: { isOneByOne: true }, used: [] };
  return { status: "paused", data, used: items };
}

/** How a run stands that has stopped. One that was not cancelled in the store was by a limit, such as its `timeout`. */
export function statusOf({ status }: RunResult): DurableStatus {
  return status === "completed" || status === "paused" ? status : "failed";
}

/** What a run came to, as it is stored. */
export function reportOf(result: RunResult): DurableReport {
  // What its `toJSON` leaves out, context and messages, is in the conversation.
  const report: DurableReport = JSON.parse(JSON.stringify(result));
  return report;
}

/** An error as readers may see it. */
export function storedError(error: unknown): StoredError {
  const { name, code }: { readonly name?: unknown; readonly code?: unknown } = Object(withoutSecrets(error));
  return {
    name: typeof name === "string" ? name : "Error",
    message: safeMessage(error),
    ...(typeof code === "string" && { code }),
    ...(error instanceof ModelError && { isOfModel: true as const }),
    ...(error instanceof UnsupportedPartError && error.part !== undefined && { part: error.part }),
  };
}

/** Errors after which nobody knows what is stored: the run is left as it is. */
export function isOfStore(error: unknown): boolean {
  return (
    error instanceof SkeinError &&
    ["session-failed", "session-conflict", "session-busy", "store-failed"].includes(error.code)
  );
}

/** Stores how an execution ended, unless something has come meanwhile: then the run is queued again. What waits for it learns that. */
export async function endExecution(execution: Execution, ending: Ending): Promise<void> {
  const { claimed, context, writer, events } = execution;
  const { store } = context;
  const before = await readOwned(execution);
  const end = endOf(ending, before);
  if (before.data.cancel && endedStatuses.includes(end)) events.endAs("cancelled");
  const { error } = ending.data;
  if (end === "cancelled" || end === "failed")
    events.endUnless(before.agent, { status: end, ...(error && end === "failed" && { error }) });
  const all = events.take();
  for (let current = before; ; current = await readOwned(execution)) {
    const pending = ending.status === "paused" ? pendingOf(current, ending) : [];
    const change = changeOf(current, ending, pending, execution);
    const { revision } = current;
    // What goes on by itself, at once, in time, or once other runs have ended, has not stopped for those who read its events.
    const write = all && change.status === "queued" ? withoutEnd(all) : all;
    // Again where a decision has come in between.
    if (!(await writer.commit({ ...(write && { events: write }), revision, change }))) continue;
    const status = endOf(ending, current);
    // Its model may have been to answer later, and the cancellation have come while it was not asked.
    if (status === "cancelled") void abandonAnswers(context, claimed);
    // Calls of a run whose time was over have got that as their results: nobody waits for theirs any more.
    const isOver = ending.data.report?.status === "cancelled";
    if (status === "cancelled" || isOver) await cancelWithin(store, claimed, current.data.children ?? []);
    // One that waits for a person shows that to those who wait for it.
    else if (endedStatuses.includes(status) || change.status === "paused") await wakeParent(store, claimed);
    if (!endedStatuses.includes(status) && (await hasNews(store, pending, ending)))
      await wakeRun(store, claimed.id);
    return;
  }
}

/** Whether a run that this one waits for has ended, or waits itself, before this pause was stored: it could not wake it. */
async function hasNews(
  store: DurableStore,
  pending: DurableReport["pending"],
  { data: { awaited }, answered }: Ending,
): Promise<boolean> {
  if (runsWithin(pending).length === 0) return false;
  // What a call has had and did not use is not new.
  if ((await resultsOfRuns(store, pending)).some(({ toolCallId }) => !answered?.has(toolCallId))) return true;
  return !sameCalls(awaited?.calls ?? [], (await awaitedCalls(store, pending, "paused")).calls);
}

async function readOwned({ claimed, context: { store, owner } }: Execution): Promise<StoredRun> {
  const current = await store.read(claimed.id);
  if (current?.owner === owner) return current;
  throw new LeaseLostError(claimed.id);
}

/** How the run stands: one that was cancelled is that, whatever it came to meanwhile. */
function endOf({ status }: Ending, { data }: StoredRun): DurableStatus {
  return data.cancel && status !== "paused" && status !== "queued" ? "cancelled" : status;
}

/** Whether something has come that the run goes on with at once. */
function isWoken(current: StoredRun, ending: Ending): boolean {
  const { inbox, outbox, userMessages = [], cancel } = current.data;
  const status = endOf(ending, current);
  // A message that came after the answer is answered, too.
  const isToAnswer = status === "completed" && userMessages.length > (ending.received ?? 0);
  const hasMore = inbox.length > ending.used.length || outbox !== undefined || cancel !== undefined;
  return status === "queued" || isToAnswer || (status === "paused" && hasMore);
}

function pendingOf({ data: { report } }: StoredRun, { data, pending }: Ending): DurableReport["pending"] {
  return pending ?? (data.report ?? report)?.pending ?? [];
}

function changeOf(
  current: StoredRun,
  ending: Ending,
  pending: DurableReport["pending"],
  { context: { build, approvalTimeout } }: Execution,
): RunChange {
  const { data, used } = ending;
  const status = endOf(ending, current);
  const {
    error,
    missing: _,
    report,
    cancel,
    isOneByOne,
    deadlines: earlier = {},
    children,
    awaited: _awaited,
    spent: _spent,
    toolCalls: _toolCalls,
    isCallLimitReached: _isCallLimitReached,
    ...rest
  } = current.data;
  const inbox = rest.inbox.slice(used.length);
  const isPaused = status === "paused";
  const goesOn = isWoken(current, ending);
  const ofRuns = data.awaited?.calls.map(({ call }) => call) ?? [];
  const deadlines = isPaused ? deadlinesOf(pending, earlier, approvalTimeout) : earlier;
  const wakes = isPaused ? wakesIn(pending, deadlines, ending.answered) : undefined;
  const due = goesOn ? 0 : wakes;
  return {
    status: goesOn || goesOnAlone([...pending, ...ofRuns]) ? "queued" : status,
    due: due === undefined ? null : { in: due },
    owner: null,
    build,
    data: {
      ...rest,
      // That of an earlier pause is not what a run that failed came to.
      ...(report &&
        status !== "failed" && { report: { ...report, pending: ending.pending ?? report.pending } }),
      ...(cancel && (goesOn || status === "cancelled") && { cancel }),
      // Why one was refused is to be seen also once the others are carried out.
      ...(isOneByOne && isPaused && error && { error }),
      ...(isOneByOne && inbox.length > 0 && { isOneByOne }),
      ...(Object.keys(deadlines).length > 0 && { deadlines }),
      ...(isPaused && { pausedAfter: current.attempts }),
      turns: (used.length > 0 ? 0 : (rest.turns ?? 0)) + (data.report?.turns ?? 0),
      ...(ending.spent && { spent: ending.spent }),
      ...ending.counts,
      ...childrenOf(isPaused ? runsWithin(pending) : children),
      inbox,
      ...data,
    },
  };
}

/** Events without the end that they have last. */
function withoutEnd(write: EventWrite): EventWrite {
  const { groups, progress } = write;
  const group = groups.at(-1);
  const end = group?.events.at(-1);
  if (!group || end?.type !== "run-end") return write;
  const events = group.events.slice(0, -1);
  const last = events.at(-1);
  const rest = last ? [{ ...group, events, last: last.index }] : [];
  return { ...write, groups: [...groups.slice(0, -1), ...rest], progress: { ...progress, next: end.index } };
}

function childrenOf(ids: readonly string[] = []): Pick<RunData, "children"> {
  return ids.length > 0 ? { children: ids } : {};
}

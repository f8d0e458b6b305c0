import type { ToolCall, ToolResult } from "../../message/messages.ts";
import type { NestedWork, PendingCall, RunState } from "../../message/run-state.ts";
import { memoize } from "../../base/util/memoize.ts";
import { notExecuted, unfinished } from "../../message/unanswered-calls.ts";
import type { ToolTable } from "../../tool/table.ts";
import type { ActiveRun } from "./active-run.ts";
import type { RunConfig } from "./run-config.ts";

/** An answer may have thousands of calls, each of which is looked up. */
const callsById = memoize(
  (pending: readonly PendingCall[]) => new Map(pending.map((call) => [call.toolCallId, call])),
);

/** The calls of tools that wait within open calls. */
const waitingById = memoize((nested: readonly NestedWork[]) => {
  const waiting = nested.flatMap(({ steps }) =>
    steps.flatMap((step) => ("waiting" in step ? step.waiting : [])),
  );
  return new Map(waiting.map((call) => [call.toolCallId, call]));
});

/**
 * Whether an open call may have begun before: in the run that this one resumes, in a process that died, or in the program, which may have
 * called a tool without `execute`. That it has not is certain of calls that came in this run, and of those that waited for a decision
 * which nobody had: before one is carried out, it is stored.
 */
function mayHaveBegun(run: ActiveRun, toolCallId: string): boolean {
  const { conversation, config } = run;
  if (conversation.nested.some((work) => work.toolCallId === toolCallId)) return true;
  const { underWay } = config.resumed ?? {};
  if (underWay?.includes(toolCallId)) return true;
  const isFirst = isCertain(run);
  if (underWay && isFirst) return false;
  const { pending, nested } = conversation;
  const { approvalId } = callsById(pending).get(toolCallId) ?? waitingById(nested).get(toolCallId) ?? {};
  if (approvalId === undefined) return run.isAnswerEarlier;
  return !isFirst && earlierApprovals(config).has(approvalId);
}

/** The approvals that a process which died may have carried out, by their ids. */
export function earlierApprovals(config: RunConfig): ReadonlySet<string> {
  const { record, resumed, died = [] } = outermost(config);
  if (resumed?.interrupted && !hasDiedSince(config)) return new Set(resumed.interrupted);
  const stored = record ? [...record.decisions.values()] : (resumed?.decisions ?? []);
  const ids = stored.flatMap(({ approvalId, decision }) => (decision === "approve" ? approvalId : []));
  return new Set([...ids, ...died]);
}

/**
 * The same of a call that the run is about to execute: a run that has paused, or reached its limit of calls, has finished all that it began, and a program that has no
 * result to pass has not executed the call.
 */
export function mayHaveBegunHere(run: ActiveRun, toolCallId: string, toolTable: ToolTable): boolean {
  const { conversation } = run;
  const call = callsById(conversation.pending).get(toolCallId);
  const isFirst = isCertain(run);
  // Only a tool without `execute` is the program's own to execute.
  const tool = call && toolTable.get(call.toolName);
  const isOfRun = tool?.execute !== undefined || !tool;
  const hasWork = conversation.nested.some((work) => work.toolCallId === toolCallId);
  // From a session, another program may have got it, and have executed it itself.
  const isElsewhere = isLeft(run, toolCallId);
  const underWay = run.config.resumed?.underWay ?? [];
  if (isFirst && isOfRun && !hasWork && !isElsewhere) return underWay.includes(toolCallId);
  return mayHaveBegun(run, toolCallId);
}

/** Whether the run had an open call with `executeTools: false`, and another program may have read it in its session. */
function isLeft({ config, conversation }: ActiveRun, toolCallId: string): boolean {
  const { record, resumed } = outermost(config);
  if (!record || !resumed?.isLeftToProgram) return false;
  // What waits within what has begun is not left, nor is that.
  if (config.outer && config.resumed) return false;
  return !conversation.nested.some(
    (work) => work.toolCallId === toolCallId || toolCallId.startsWith(`${work.toolCallId}/`),
  );
}

/**
 * Whether an open call may have been under way when its process died, as far as no mark of the call says so: one that waited, in a run
 * that has paused, stopped where it waits.
 */
export function isInterruptedHere(run: ActiveRun, toolCallId: string, toolTable: ToolTable): boolean {
  if (hasStoppedHere(run, toolCallId)) return false;
  if (isLeft(run, toolCallId) || !hasMarks(run)) return mayHaveBegunHere(run, toolCallId, toolTable);
  return run.config.resumed?.underWay?.includes(toolCallId) ?? false;
}

/** Whether an open call has stopped where it waits, in a run that has come to its end since. */
function hasStoppedHere(run: ActiveRun, toolCallId: string): boolean {
  return isCertain(run) && run.conversation.nested.some((work) => work.toolCallId === toolCallId);
}

/** The same where its session says so. A journal may have more of the run than a state beside it. */
export function isStoppedInSession(run: ActiveRun, toolCallId: string): boolean {
  return outermost(run.config).isFromSession === true && hasStoppedHere(run, toolCallId);
}

/** Whether each open call of a tool with `interrupted` has a mark where it has begun: what the run remembers steps by has seen all of it. */
function hasMarks({ config, isReplayed }: ActiveRun): boolean {
  const { resumed, isFromSession, isOwnJournal, middlewares } = outermost(config);
  if (!middlewares.some((each) => each.step !== undefined)) return false;
  // What had the answer had its calls as well, also where a state beside it is older.
  if (isReplayed || !resumed || isFromSession) return true;
  // What died before may have had another store, or none.
  return resumed.interrupted ? isOwnJournal === true : hasStopped(resumed);
}

/** Whether the resumed state says which of its calls have begun. It knows nothing of an answer that a journal has beyond it. */
export function isCertain({ config, isReplayed }: ActiveRun): boolean {
  return isFirstResumption(config) && !isReplayed;
}

/**
 * Whether nobody can have resumed the state before: its run, and all those around it, have stopped by themselves, and no process has
 * died in them since.
 */
function isFirstResumption({ resumed, outer, died }: RunConfig): boolean {
  if (!hasStopped(resumed) || resumed.interrupted) return false;
  return outer ? isFirstResumption(outer) : died === undefined;
}

/** Whether the run of a state has come to its end: what it says of its calls was true then. */
function hasStopped(state: RunState | undefined): state is RunState {
  return state?.status === "paused" || state?.status === "max-tool-calls" || state?.underWay !== undefined;
}

/**
 * Whether a process that has resumed the state has died. A session says so itself: a run that goes on is stored as one that runs before
 * it does anything. What else remembers steps has a mark of that process.
 */
function hasDiedSince(config: RunConfig): boolean {
  const { resumed, died } = outermost(config);
  return died !== undefined || !hasStopped(resumed);
}

/** The run that is within no other: its session, or its journal, is that of all within it. */
export function outermost(config: RunConfig): RunConfig {
  return config.outer ? outermost(config.outer) : config;
}

/**
 * The result of an open call that the run does not come to any more.
 * @param end - What the run was.
 */
export function abandonedResult(run: ActiveRun, call: ToolCall, end: "cancelled" | "blocked"): ToolResult {
  return mayHaveBegun(run, call.toolCallId)
    ? unfinished(call, `The run was ${end}`)
    : notExecuted(call, `the run was ${end}.`);
}

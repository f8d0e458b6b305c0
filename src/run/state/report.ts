import { chain, type MaybePromise } from "../../base/util/maybe-promise.ts";
import type { FinishReason } from "../../message/messages.ts";
import { decidableCalls, takenResults } from "../../message/nested-work.ts";
import type { ApprovalDecision, PendingCall, RunState } from "../../message/run-state.ts";
import { isSameCall, unansweredCalls } from "../../message/unanswered-calls.ts";
import type { RunReport, RunResult } from "../result-types.ts";
import { hidePrivateReport } from "../events/event-json.ts";
import type { ActiveRun } from "./active-run.ts";
import { outermost } from "./may-have-begun.ts";
import { leadOf, openWorkOf, stateBefore } from "./open-work.ts";
import { storableState } from "./storable-state.ts";
import { namedChanges, storedChanges, storedContext } from "./stored-context.ts";
import type { Outcome } from "./outcome.ts";

/** The calls that wait for a decision, and the id under which each was requested. */
export function approvalsOf({ conversation }: ActiveRun): NonNullable<RunState["approvals"]> {
  const waiting = conversation.pending.filter(({ approvalId }) => approvalId !== undefined);
  if (waiting.length === 0) return [];
  const calls = new Map(unansweredCalls(conversation.messages).map((call) => [call.toolCallId, call]));
  return waiting.map(({ approvalId = "", input = null, edited, version, ...toolCall }) => {
    const { toolCallId } = toolCall;
    return {
      approvalId,
      toolCallId,
      input,
      ...(!isSameCall(toolCall, calls.get(toolCallId)) && { toolCall }),
      ...(edited && { edited }),
      ...(version !== undefined && { version }),
    };
  });
}

/**
 * What was decided on calls that wait still.
 * @param pending - The calls that wait, those within calls too.
 */
function decisionsOf({ config }: ActiveRun, pending: readonly PendingCall[]): readonly ApprovalDecision[] {
  const { decided, notRefused, parent, resumed, record } = config;
  const all = decided?.approvals ?? notRefused ?? (record ? [] : (resumed?.decisions ?? []));
  if (parent || all.length === 0) return [];
  const waiting = new Set(pending.map(({ approvalId }) => approvalId));
  return all.flatMap(({ arguments: edited, ...decision }) => {
    if (!waiting.has(decision.approvalId)) return [];
    if (edited === undefined) return decision;
    return { ...decision, arguments: typeof edited === "string" ? edited : JSON.stringify(edited) };
  });
}

/** The status that a run has reached. What is completed stays so, also where the run that was to return its answer again is refused. */
export function statusOf(run: ActiveRun): RunState["status"] {
  if (isAnswered(run)) return "completed";
  const before = stateBefore(run);
  if (before) return before.status;
  return run.outcome?.status ?? (run.hasAnswered ? "completed" : "running");
}

/** Whether the run was resumed from a completed one, whose answer it returns again. */
export function isAnswered({ config, conversation }: ActiveRun): boolean {
  const { pending, messages, inputLength } = conversation;
  return config.resumed?.status === "completed" && pending.length === 0 && messages.length === inputLength;
}

/** How often tools with `maxCalls` were called: the outermost run counts for those within it. */
export function callsOf(run: ActiveRun): RunState["calls"] {
  const { limits, parent } = run.config;
  return parent ? undefined : limits.callsOfTools(saysWhatWaits(run));
}

/** Whether the state says which calls wait: that of a run which works does not yet. */
function saysWhatWaits({ outcome, hasFailed }: ActiveRun): boolean {
  return outcome !== undefined || hasFailed;
}

/** The open calls, and what they wait for. */
function callsWaiting(run: ActiveRun): Required<Pick<RunState, "pending" | "approvals" | "nested">> {
  const { config, conversation } = run;
  const before = stateBefore(run);
  if (!before)
    return {
      approvals: approvalsOf(run),
      nested: conversation.nested,
      pending: decidableCalls(conversation.pending, conversation.nested),
    };
  // Some may have their results by now. Nothing else has been done with them.
  const open = new Set(conversation.pending.map(({ toolCallId }) => toolCallId));
  const { approvals = [], nested = [] } = before;
  // A session lists the calls of the model alone.
  const pending = config.isFromSession ? decidableCalls(before.pending, nested) : before.pending;
  return {
    approvals: approvals.filter(({ toolCallId }) => open.has(toolCallId)),
    nested: nested.filter(({ toolCallId }) => open.has(toolCallId)),
    pending: pending.filter(({ toolCallId, parentToolCallId }) => open.has(parentToolCallId ?? toolCallId)),
  };
}

/** The state reached, as plain JSON; signed, if states are. */
export function stateOf(run: ActiveRun): MaybePromise<RunState> {
  const { callers, config, conversation, meters } = run;
  const { approvals, nested, pending } = callsWaiting(run);
  const decisions = decisionsOf(run, pending);
  const toolNames = run.toolNames.stored;
  const calls = callsOf(run);
  const { resumptions = config.resumed?.resumptions } = config;
  const state = storableState({
    version: 1,
    runId: config.runId,
    agent: leadOf(run),
    messages: [...conversation.messages],
    context: run.context,
    ...(run.changes.length > 0 && { changes: namedChanges(run.changes) }),
    turn: meters.turn - run.unansweredTurns,
    ...(callers.length > 0 && { callers }),
    ...(toolNames.length > 0 && { toolNames }),
    pending,
    ...(approvals.length > 0 && { approvals }),
    ...(decisions.length > 0 && { decisions }),
    ...openWorkOf(run),
    ...(resumptions !== undefined && { resumptions }),
    ...(nested.length > 0 && { nested }),
    ...(run.unread.length > 0 && { unread: run.unread }),
    ...(run.received > 0 && { received: run.received }),
    ...(run.notes.stored && { notes: run.notes.stored }),
    ...(calls && { calls }),
    ...config.limits.ownCounts(saysWhatWaits(run)),
    usage: meters.totalUsage,
    status: statusOf(run),
    ...(run.blocked && { blocked: run.blocked }),
  });
  const isForStorage = config.signState || state.status === "paused";
  if (isForStorage) {
    storedContext(run, run.context);
    storedChanges(run, run.changes);
  }
  return config.signState ? config.signState(state) : state;
}

/** What a run that has ended returns. */
export function resultOf(run: ActiveRun, outcome: Outcome): MaybePromise<RunResult> {
  return chain(stateOf(run), (state) => resultWith(run, outcome, state));
}

/** Ends that are the run's own, whatever its model said last. */
const ownReasons: ReadonlyMap<Outcome["status"], FinishReason> = new Map([
  ["cancelled", "cancelled"],
  ["blocked", "content-filter"],
]);

function resultWith(
  run: ActiveRun,
  { status, text = run.lastAnswer.text, output, wait }: Outcome,
  state: RunState,
): RunResult {
  const { conversation, meters } = run;
  const { finishReason, rawFinishReason } = run.lastAnswer;
  const report: RunReport = {
    finishReason: ownReasons.get(status) ?? finishReason,
    rawFinishReason,
    text,
    output,
    messages: conversation.added,
    agent: run.nextAgent,
    context: run.latestContext,
    usage: meters.usage,
    turns: meters.turns - run.unansweredTurns,
    modelCalls: meters.modelCalls,
    agentRuns: run.agentRuns,
    stats: meters.stats(),
    warnings: run.warnings,
    state,
  };
  const all = wait ? [wait] : decidableCalls(conversation.pending, conversation.nested);
  // What was decided, and is to be carried out with what is missing, waits for nobody.
  const decided = new Set(state.decisions?.map(({ approvalId }) => approvalId));
  // Nor what tools had got in a process that died.
  const used = new Set(
    takenResults(
      conversation.nested.flatMap(({ steps }) => steps),
      outermost(run.config).record?.steps,
    ),
  );
  const open = all.filter(({ approvalId, toolCallId }) =>
    approvalId === undefined ? !used.has(toolCallId) : !decided.has(approvalId),
  );
  const pending = open.length > 0 ? open : all;
  // What is left for the limit of tool calls waits for nothing: nobody is to do it.
  const { limits } = run.config;
  const waiting = limits.isReached ? pending.filter((call) => limits.isWaiting(call)) : [];
  const result = withStatus(run, report, status, waiting.length > 0 ? waiting : pending);
  hidePrivateReport(result);
  return result;
}

function withStatus(
  { blocked }: ActiveRun,
  report: RunReport,
  status: Outcome["status"],
  [first, ...others]: readonly PendingCall[],
): RunResult {
  if (status === "blocked") {
    if (!blocked) throw new TypeError("a run is blocked without a reason");
    return { ...report, status, pending: [], blocked };
  }
  if (status !== "paused") return { ...report, status, pending: [] };
  if (!first) throw new TypeError("a run is paused without a pending call");
  return { ...report, status: "paused", pending: [first, ...others] };
}

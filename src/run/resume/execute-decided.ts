import { ApprovedCall } from "../../executor/approved-call.ts";
import { executeCall } from "../../executor/execute-call.ts";
import { textResult } from "../../executor/finalize.ts";
import { parseInTime } from "../../executor/parse-in-time.ts";
import { stepOfCall } from "../../executor/step-of-call.ts";
import { bindingOf, listedCall, requestApproval, versionOf } from "../../executor/policies/approval.ts";
import { approvalIdOf } from "../../executor/policies/approval-id.ts";
import { usedTool } from "../../executor/policies/deprecated.ts";
import { inputAsShown } from "../../executor/policies/shown-input.ts";
import type { CallOutcome, Execute, ExecutionScope, SettledCall } from "../../executor/types.ts";
import type { ToolCall } from "../../message/messages.ts";
import { isSameCall } from "../../message/unanswered-calls.ts";
import { printStep } from "../../message/step-key.ts";
import type { PendingCall } from "../../message/run-state.ts";
import { sameDigest } from "../../base/util/digest.ts";
import type { ActiveRun } from "../state/active-run.ts";
import type { DecisionUse } from "../state/run-config.ts";
import { resultElsewhere } from "./external-results.ts";
import type { Decisions } from "./decisions.ts";
import {
  continueCall,
  continueShared,
  executeApproved,
  filledCall,
  type EarlierWork,
  type ScopeAtDepth,
  stillSuspended,
  workWithin,
} from "./earlier-work.ts";
import { isStoredCall, outcomeOf } from "../steps/stored-call.ts";

/** Decisions, and which of them are carried out. */
interface UsedDecisions {
  readonly decisions: Decisions;
  /** The ids of calls with results from elsewhere. */
  readonly results: ReadonlySet<string>;
  readonly use: DecisionUse;
}

interface Continuing extends UsedDecisions {
  /** What becomes of the calls that are executed, by their ids. */
  readonly continuing: ReadonlyMap<string, Promise<CallOutcome>>;
}

/**
 * Executes the calls that a resumed run left open: those on which a person has decided as decided, and those that have begun as they did.
 * @param originals - The run's own open calls, as the model made them.
 */
export function executor(
  run: ActiveRun,
  originals: ReadonlyMap<string, ToolCall>,
  earlier: EarlierWork,
  answers: UsedDecisions,
): Execute {
  const continuing = new Map<string, Promise<CallOutcome>>();
  const decided: Continuing = { ...answers, continuing };
  const executeOpen: Execute = (call, scope, depth = 0) => {
    if (depth > 0) return executeNested(run, call, { ...scope, depth }, earlier, decided);
    // What a person has decided on are the model's own calls.
    const original = originals.get(call.toolCallId) ?? call;
    const work = earlier.calls.get(call.toolCallId);
    const waitsStill = work && stillSuspended(work, decided.decisions, decided.results);
    if (waitsStill) return Promise.resolve(waitsStill);
    const atDepth = { ...scope, depth };
    return work
      ? continueShared(call, work, continuing, scope, () =>
          continueCall(call, original, atDepth, work, decided),
        )
      : executeDecided(call, original, atDepth, decided);
  };
  return (call, scope, depth) => {
    const outcome = executeOpen(call, scope, depth);
    continuing.set(call.toolCallId, outcome);
    return outcome;
  };
}

/** @param answered - The call of the model or a tool, which a middleware may have changed before approval was requested. */
async function executeDecided(
  { approvalId, input: visibleInput, edited: earlier, version, ...call }: PendingCall,
  answered: ToolCall,
  { depth, ...scope }: ScopeAtDepth,
  { decisions, use }: UsedDecisions,
): Promise<CallOutcome> {
  if (approvalId === undefined) return executeCall(call, scope, depth);
  const decision = decisions.get(approvalId);
  if (decision?.decision === "deny") {
    use.add(approvalId);
    return deny(filledCall(call, answered), scope, decision.reason);
  }
  const binding = { ...bindingOf(call, scope), version };
  const expected = await approvalIdOf({ ...listedCall(call, scope), edited: earlier }, visibleInput, binding);
  const writtenName = answered.toolName;
  const asShown = new ApprovedCall<CallOutcome>(call, { edited: earlier, visibleInput, writtenName });
  // It was approved for the tool that was shown, not for one that has taken its place since.
  const tool = scope.toolTable.get(call.toolName);
  const isReplaced =
    tool &&
    (usedTool(tool, scope.toolTable) !== tool ||
      (version !== undefined && (versionOf(call, tool, scope) ?? "") !== version));
  if (!decision || isReplaced || !sameDigest(expected, approvalId)) {
    const waiting = await stillWaiting(call, asShown, scope);
    if (waiting && decision) use.add(approvalId);
    return waiting ?? executeCall(call, scope, depth);
  }
  const edited = decision.arguments === undefined ? undefined : { ...call, arguments: decision.arguments };
  const approved = edited ? new ApprovedCall<CallOutcome>(edited, { edited }) : asShown;
  const outcome = await executeApproved(call, answered, approved, { ...scope, depth });
  // Also where a person is shown it once more.
  use.add(approvalId);
  return outcome;
}

/** A call that a tool makes: what is there of it from before the run paused counts. */
async function executeNested(
  run: ActiveRun,
  call: ToolCall,
  scope: ScopeAtDepth,
  earlier: EarlierWork,
  decided: Continuing,
): Promise<CallOutcome> {
  const step = earlier.steps.get(printStep(stepOfCall(call, scope)));
  if (step && "value" in step && isStoredCall(step.value)) return outcomeOf(run, step.value);
  if (step && "call" in step && isSameCall(call, step.original ?? step.call)) {
    const work = workWithin(step, earlier);
    const waitsStill = stillSuspended(work, decided.decisions, decided.results);
    if (waitsStill) return waitsStill;
    return continueShared(call, work, decided.continuing, scope, () =>
      continueCall(call, call, scope, work, decided),
    );
  }
  const isSame = step && "waiting" in step && isSameCall(call, step.original ?? step.waiting);
  if (!isSame) return executeCall(call, scope, scope.depth);
  const { agent: _, parentToolCallId: _parent, ...pending } = step.waiting;
  if (pending.approvalId === undefined) return takeResult(run, call, scope, decided.use);
  return executeDecided(pending, call, scope, decided);
}

/** A call that a tool makes of another whose result comes from elsewhere, or waits for it still. */
async function takeResult(
  run: ActiveRun,
  call: ToolCall,
  scope: ScopeAtDepth,
  use: DecisionUse,
): Promise<CallOutcome> {
  const external = run.config.options.results?.find(({ toolCallId }) => toolCallId === call.toolCallId);
  // Who may not use the tool now does not get the result, either.
  if (!external || scope.toolTable.refused.has(call.toolName)) return executeCall(call, scope, scope.depth);
  use.add(call.toolCallId);
  return reported(call, await resultElsewhere(call, external, scope, scope.depth), scope);
}

/** `undefined` if the call can no longer be made, which the model then sees as an error. */
async function stillWaiting(
  call: ToolCall,
  approved: ApprovedCall<CallOutcome>,
  scope: ExecutionScope,
): Promise<CallOutcome | undefined> {
  const tool = scope.toolTable.get(call.toolName);
  if (!tool) return undefined;
  const used = usedTool(tool, scope.toolTable);
  const read = await parseInTime(call.arguments, used, scope.signal);
  if (read.kind !== "value" || !read.value.ok) return undefined;
  const { value } = read.value;
  const { visibleInput } = approved;
  const same = visibleInput === undefined ? undefined : await inputAsShown(value, visibleInput, used, scope);
  const outcome = await requestApproval(call, used, same ? same.input : value, { ...scope, approved });
  return "result" in outcome ? reported(call, outcome, scope) : outcome;
}

/** A call that was answered without being executed, as one for those who watch the run. */
function reported(call: ToolCall, outcome: SettledCall, { observer }: ExecutionScope): SettledCall {
  observer.start(call);
  observer.end(outcome, 0);
  return outcome;
}

function deny(call: ToolCall, scope: ExecutionScope, reason: string | undefined): CallOutcome {
  const why = reason === undefined || reason.trim() === "" ? "" : ` The reason given: ${reason.trim()}`;
  // Not "by a person": nobody may have decided in time, or may have been asked. It may have been under way when its process died.
  const { interrupted, approval = false } = scope.toolTable.get(call.toolName)?.policy ?? {};
  const text =
    interrupted === "ask" && approval === false
      ? `${call.toolName} was interrupted and may or may not have taken effect. Calling it again was not approved.${why}`
      : `${call.toolName} was not called: it was not approved.${why}`;
  return reported(call, { result: textResult(call, text, "denied") }, scope);
}

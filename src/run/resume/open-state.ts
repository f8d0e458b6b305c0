import { InvalidInputError } from "../../errors.ts";
import { ApprovedCall } from "../../executor/approved-call.ts";
import { executeCall } from "../../executor/execute-call.ts";
import { textResult } from "../../executor/finalize.ts";
import { parseInTime } from "../../executor/parse-in-time.ts";
import { stepOfCall } from "../../executor/step-of-call.ts";
import { bindingOf, listedCall, requestApproval, versionOf } from "../../executor/policies/approval.ts";
import { approvalIdOf } from "../../executor/policies/approval-id.ts";
import { usedTool } from "../../executor/policies/deprecated.ts";
import { inputAsShown, isSameInput, shownInput } from "../../executor/policies/shown-input.ts";
import type { CallOutcome, Execute, ExecutionScope, SettledCall } from "../../executor/types.ts";
import type { ToolCall } from "../../message/messages.ts";
import { callerOf, isSameCall, unansweredCalls } from "../../message/unanswered-calls.ts";
import { printStep } from "../../message/step-key.ts";
import type { ApprovalDecision, PendingCall, RunState } from "../../message/run-state.ts";
import type { ToolTable } from "../../tool/table.ts";
import { isThrown } from "../../base/util/is-error.ts";
import { sameDigest } from "../../base/util/digest.ts";
import type { ActiveRun } from "../state/active-run.ts";
import type { DecisionUse } from "../state/run-config.ts";
import { assertExecuted } from "./assert-tools.ts";
import { checkWithin } from "./check-within.ts";
import { DecisionRecord } from "./decision-record.ts";
import { resultElsewhere } from "./external-results.ts";
import { assertDecision, readDecisions, type Decisions } from "./decisions.ts";
import { earlierDecisions } from "./earlier-decisions.ts";
import {
  continueCall,
  continueShared,
  executeApproved,
  filledCall,
  type EarlierWork,
  readEarlierWork,
  type ScopeAtDepth,
  stillSuspended,
  waitingCalls,
  workWithin,
} from "./earlier-work.ts";
import { isStoredCall, outcomeOf } from "../steps/stored-call.ts";
import { assertResumed, signed } from "./signature.ts";

/**
 * Makes sure that the state which a run resumes is as it was given out, and has the run carry out what was decided.
 * @param loadTools - Finds the tools that the pending calls of a run are calls of.
 * @throws InvalidInputError for a state that was changed, and for a decision that was not requested.
 */
export async function openState(run: ActiveRun, loadTools: LoadTools): Promise<void> {
  try {
    keepDecisions(run);
    await openDecided(run, loadTools);
  } catch (error) {
    // A run that fails for another reason has refused no decision: its state has them.
    if (isThrown(error, InvalidInputError)) run.configure({ notRefused: undefined });
    throw error;
  }
}

/** Finds the tools that the pending calls of a run are calls of. */
type LoadTools = (run: ActiveRun) => Promise<ToolTable>;

/** @throws InvalidInputError for what does not have the form of a decision. */
function keepDecisions(run: ActiveRun): void {
  const { options, record, resumed, parent } = run.config;
  const { approvals = [] } = options;
  if (parent || !Array.isArray(approvals)) return;
  for (const each of approvals) assertDecision(each);
  run.configure({ notRefused: [...(record ? [] : (resumed?.decisions ?? [])), ...approvals] });
}

async function openDecided(run: ActiveRun, loadTools: LoadTools): Promise<void> {
  const { stateSecret } = run.config.options;
  const { resumed, record, parent } = run.config;
  await assertResumed(run);
  if (stateSecret !== undefined && !parent)
    run.configure({ signState: (state) => signed(run, state, stateSecret) });
  const originals = openCalls(run);
  const toDecide = resumed ? await callsToDecide(run, resumed) : new Map<string, PendingCall>();
  const earlier = readEarlierWork(resumed, originals);
  // What waits for a decision itself has done nothing that it could go on from, with other arguments than were shown.
  for (const call of toDecide.values()) if (earlier.calls.has(call.toolCallId)) throw changed(call);
  // An agent that a call has returned must be there before anything is executed: by its name, also in the process that has it.
  for (const step of earlier.steps.values())
    if ("value" in step && isStoredCall(step.value)) outcomeOf(run, { ...step.value });
  run.conversation.continueWork([...earlier.calls.values()]);
  run.conversation.updatePending((call) => toDecide.get(call.toolCallId) ?? call);
  const { ofTools, ofAgents: waiting } = waitingCalls(earlier);
  assertListed(resumed, [...ofTools, ...waiting]);
  if (resumed) assumeNames(run, [...originals.values(), ...ofTools]);
  const ofAgents = waiting.filter(({ approvalId }) => approvalId !== undefined);
  const own = [...toDecide.values(), ...ofTools];
  const decidable = { ofTools: own, ofAgents };
  const check = { originals, approvals: [], roots: run.config.roots, loadTools, open: openState };
  const earlierOnes = await earlierDecisions(run, decidable, {
    loadTools: () => loadTools(run),
    checkWithin: (decision) => checkWithin(run, { ...check, approvals: [decision], isEarlier: true }),
  });
  const decisions = await readDecisions(run, decidable, earlierOnes, () => loadTools(run));
  const approvals = allApprovals(run, earlierOnes);
  for (const call of toDecide.values())
    if (decisions.has(call.approvalId ?? "")) assertExecuted(call, await loadTools(run));
  // Within a run, that around it has checked the decisions of all.
  if (!parent && waiting.length > 0) await checkWithin(run, { ...check, approvals });
  await record?.decide(approvals);
  if (own.length + earlier.calls.size === 0) return;
  const results = new Set(run.config.options.results?.map(({ toolCallId }) => toolCallId));
  const decidedCalls = own.filter(({ approvalId = "" }) => decisions.has(approvalId));
  const permitted = [...earlier.steps.values()].flatMap((step) => ("call" in step ? [step.call] : []));
  const ids = [...decidedCalls, ...permitted].map(({ toolCallId }) => toolCallId);
  const toolCallIds = new Set([...ids, ...earlier.calls.keys()]);
  const use = new DecisionRecord(run, decisions, [...own, ...waiting], results, earlier.steps);
  const continuing = new Map<string, Promise<CallOutcome>>();
  const decided = { decisions, results, use, continuing };
  const executeOpen: Execute = (call, scope, depth = 0) => {
    if (depth > 0) return executeNested(run, call, { ...scope, depth }, earlier, decided);
    // What a person has decided on are the model's own calls.
    const original = originals.get(call.toolCallId) ?? call;
    const work = earlier.calls.get(call.toolCallId);
    const waitsStill = work && stillSuspended(work, decisions, results);
    if (waitsStill) return Promise.resolve(waitsStill);
    const atDepth = { ...scope, depth };
    return work
      ? continueShared(call, work, continuing, scope, () =>
          continueCall(call, original, atDepth, work, decided),
        )
      : executeDecided(call, original, atDepth, decided);
  };
  const execute: Execute = (call, scope, depth) => {
    const outcome = executeOpen(call, scope, depth);
    continuing.set(call.toolCallId, outcome);
    return outcome;
  };
  run.configure({
    decided: { toolCallIds, turn: run.meters.turn, execute, steps: earlier.steps, approvals, use },
  });
}

/** The decisions that were passed, and those that the session or the state has. */
function allApprovals(
  { config }: ActiveRun,
  earlier: ReadonlyMap<string, ApprovalDecision>,
): readonly ApprovalDecision[] {
  const all = [...earlier.values(), ...(config.options.approvals ?? [])];
  return [...new Map(all.map((decision) => [decision.approvalId, decision])).values()];
}

/** Signs the state of a run that failed before it was open. One that was passed in may have been changed: that stays unsigned. */
export async function signUnopened(run: ActiveRun, state: RunState): Promise<RunState> {
  const { options, resumed, signState } = run.config;
  const { stateSecret } = options;
  if (signState || resumed || stateSecret === undefined) return state;
  return signed(run, state, stateSecret);
}

/** The pending calls that need approval, by approval id: each is unchanged since the request. */
async function callsToDecide(run: ActiveRun, state: RunState): Promise<ReadonlyMap<string, PendingCall>> {
  const { runId, options } = run.config;
  const { stateSecret } = options;
  const { turn } = run.meters;
  const open = openCalls(run);
  const changedCalls = changedBy(state, open);
  const calls = new Map<string, PendingCall>();
  for (const { toolCallId, approvalId, input, edited, version } of state.approvals ?? []) {
    const call = changedCalls.get(toolCallId) ?? open.get(toolCallId);
    // Its result may have come from elsewhere.
    if (!call) continue;
    const origin = run.toolNames.originOf(
      callerOf(run.conversation.messages) ?? run.agent.name,
      call.toolName,
    );
    const binding = { runId, turn, origin, version, stateSecret };
    const expected = await approvalIdOf({ ...call, edited }, input, binding);
    if (!sameDigest(expected, approvalId)) throw changed(call);
    const visibleInput = shownInput(input);
    if (visibleInput === undefined) throw changed(call);
    const pending = { ...call, approvalId, input: visibleInput };
    calls.set(call.toolCallId, {
      ...pending,
      ...(edited && { edited }),
      ...(version !== undefined && { version }),
    });
  }
  return calls;
}

/** The model's own calls that have no result yet, by their ids. */
function openCalls({ conversation }: ActiveRun): ReadonlyMap<string, ToolCall> {
  return new Map(unansweredCalls(conversation.messages).map((call) => [call.toolCallId, call]));
}

/** The calls that a middleware changed before approval was requested: the state holds them, and their ids are bound to them. */
function changedBy(state: RunState, open: ReadonlyMap<string, ToolCall>): ReadonlyMap<string, ToolCall> {
  const changedCalls = new Map<string, ToolCall>();
  const inputs = new Map<string, unknown>();
  for (const { toolCallId, toolCall, input } of state.approvals ?? []) {
    const call = open.get(toolCallId);
    if (call) inputs.set(toolCallId, input);
    if (!call || !toolCall) continue;
    const { toolName, arguments: text } = toolCall;
    changedCalls.set(toolCallId, { ...call, toolName, arguments: text });
  }
  for (const listed of state.pending) {
    const { toolCallId, toolName, arguments: text, input, parentToolCallId } = listed;
    // The ids of calls within a call are another run's.
    if (parentToolCallId !== undefined) continue;
    const call = changedCalls.get(toolCallId) ?? open.get(toolCallId);
    if (!call) continue;
    const isListed = call.toolName === toolName && call.arguments === text;
    // Nobody decides on the input of a call whose result comes from elsewhere: it is read again.
    const isUndecided = listed.approvalId === undefined && !inputs.has(call.toolCallId);
    if (!isListed || (!isUndecided && !isSameInput(input, inputs.get(call.toolCallId)))) throw changed(call);
  }
  return changedCalls;
}

/** Open calls that the state has no tool for are of the agent's own tools. */
function assumeNames(run: ActiveRun, calls: readonly PendingCall[]): void {
  const caller = callerOf(run.conversation.messages) ?? run.agent.name;
  for (const { agent = caller, toolName } of calls) run.toolNames.assume(agent, toolName);
}

/** @throws InvalidInputError unless the calls within calls are listed as they wait: a person decides on what is listed. */
function assertListed(state: RunState | undefined, waiting: readonly PendingCall[]): void {
  for (const { parentToolCallId, approvalId, ...listed } of state?.pending ?? []) {
    if (parentToolCallId === undefined) continue;
    const call = waiting.find(
      (each) =>
        each.approvalId === approvalId && (approvalId !== undefined || each.toolCallId === listed.toolCallId),
    );
    const isSame = isSameCall(listed, call) && listed.agent === call?.agent;
    if (!isSame || !isSameInput(listed.input, call?.input)) throw changed(listed);
  }
}

function changed({ toolCallId, toolName }: ToolCall): InvalidInputError {
  return new InvalidInputError(
    `The call "${toolCallId}" of ${toolName} has changed since approval was requested. Pass result.state unchanged, with the stateSecret it was made with, if any.`,
    { toolCallId, toolName },
  );
}

/** Decisions, and which of them are carried out. */
interface UsedDecisions {
  readonly decisions: Decisions;
  /** The ids of calls with results from elsewhere. */
  readonly results: ReadonlySet<string>;
  readonly use: DecisionUse;
  /** What becomes of the calls that are executed, by their ids. */
  readonly continuing: ReadonlyMap<string, Promise<CallOutcome>>;
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
  decided: UsedDecisions,
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
  // A person was asked since it may have been under way when its process died.
  const { interrupted, approval = false } = scope.toolTable.get(call.toolName)?.policy ?? {};
  const text =
    interrupted === "ask" && approval === false
      ? `${call.toolName} was interrupted and may or may not have taken effect. A person decided against calling it again.${why}`
      : `${call.toolName} was not called: a person decided against it.${why}`;
  return reported(call, { result: textResult(call, text, "denied") }, scope);
}

import { InvalidInputError } from "../../errors.ts";
import { approvalIdOf } from "../../executor/policies/approval-id.ts";
import { isSameInput, shownInput } from "../../executor/policies/shown-input.ts";
import type { ToolCall } from "../../message/messages.ts";
import { callerOf, isSameCall, unansweredCalls } from "../../message/unanswered-calls.ts";
import { decidableCalls, takenResults } from "../../message/nested-work.ts";
import type { ApprovalDecision, PendingCall, RunState } from "../../message/run-state.ts";
import type { ToolTable } from "../../tool/table.ts";
import { isThrown } from "../../base/util/is-error.ts";
import { sameDigest } from "../../base/util/digest.ts";
import type { ActiveRun } from "../state/active-run.ts";
import { outermost } from "../state/may-have-begun.ts";
import { assertExecuted } from "./assert-tools.ts";
import { checkWithin } from "./check-within.ts";
import { DecisionRecord } from "./decision-record.ts";
import { assertDecision, readDecisions } from "./decisions.ts";
import { earlierDecisions } from "./earlier-decisions.ts";
import { readEarlierWork, waitingCalls } from "./earlier-work.ts";
import { executor } from "./execute-decided.ts";
import { isStoredCall, outcomeOf } from "../steps/stored-call.ts";
import { assertResumed, signed } from "./signature.ts";

/**
 * Makes sure that the state which a run resumes is as it was given out, and has the run carry out what was decided.
 * @param loadTools - Finds the tools that the pending calls of a run are calls of.
 * @throws InvalidInputError for a state that was changed, and for a decision that was not requested.
 */
export async function openState(run: ActiveRun, loadTools: LoadTools): Promise<void> {
  const { resumed, record, parent } = run.config;
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
  const { record: stored } = outermost(run.config);
  const present = new Set([...results, ...takenResults(earlier.steps.values(), stored?.steps)]);
  const execute = executor(run, originals, earlier, { decisions, results: present, use });
  run.configure({
    decided: { toolCallIds, turn: run.meters.turn, execute, steps: earlier.steps, approvals, use },
  });
}

/**
 * Makes sure that the state which a run resumes is as it was given out, and opens the run with that. Where it fails for another reason
 * than what it was sent, it has refused no decision: its state has them, or its session.
 * @throws InvalidInputError for a state that was changed, and for what does not have the form of a decision.
 */
export async function withCheckedState(run: ActiveRun, open: () => Promise<void> | undefined): Promise<void> {
  try {
    keepDecisions(run);
    await assertResumed(run);
    const { stateSecret } = run.config.options;
    if (stateSecret !== undefined && !run.config.parent)
      run.configure({ signState: (state) => signed(run, state, stateSecret) });
    await open();
  } catch (error) {
    if (isThrown(error, InvalidInputError)) run.configure({ notRefused: undefined });
    throw error;
  }
}

/** Stores the decisions of a run that failed before it could look at them all: what does not fit is left out once it is resumed. */
export async function storeDecisions({ config }: ActiveRun): Promise<void> {
  const { record, resumed, notRefused = [] } = config;
  const waiting = new Set(
    decidableCalls(resumed?.pending ?? [], resumed?.nested ?? []).map(({ approvalId }) => approvalId),
  );
  const decisions = notRefused.filter(({ approvalId }) => waiting.has(approvalId));
  if (decisions.length > 0) await record?.decide(decisions);
}

/** Finds the tools that the pending calls of a run are calls of. */
type LoadTools = (run: ActiveRun) => Promise<ToolTable>;

/** @throws InvalidInputError for what does not have the form of a decision. */
function keepDecisions(run: ActiveRun): void {
  const { options, record, resumed, parent } = run.config;
  const { approvals = [] } = options;
  if (parent || !Array.isArray(approvals)) return;
  for (const each of approvals) assertDecision(each);
  const earlier = record ? [...record.decisions.values()] : (resumed?.decisions ?? []);
  // A decision cannot be changed: of several on one call, only that which was there before is kept unseen.
  const all = Map.groupBy([...earlier, ...approvals], ({ approvalId }) => approvalId);
  const certain = approvals.filter(({ approvalId }) => all.get(approvalId)?.length === 1);
  run.configure({ notRefused: record ? certain : [...earlier, ...certain] });
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

import { InvalidInputError } from "../../errors.ts";
import { ApprovedCall } from "../../executor/approved-call.ts";
import { executeCall } from "../../executor/execute-call.ts";
import { textResult } from "../../executor/finalize.ts";
import { stepOfCall } from "../../executor/step-of-call.ts";
import { referenceKey } from "../../executor/references.ts";
import { listedCall, requestApproval } from "../../executor/policies/approval.ts";
import { approvalIdOf } from "../../executor/policies/approval-id.ts";
import { usedTool } from "../../executor/policies/deprecated.ts";
import { inputAsShown, isSameInput, shownInput } from "../../executor/policies/shown-input.ts";
import type { CallOutcome, Execute, ExecutionScope } from "../../executor/types.ts";
import type { ToolCall } from "../../message/messages.ts";
import { isSameCall, unansweredCalls } from "../../message/unanswered-calls.ts";
import { printStep } from "../../message/step-key.ts";
import type { ApprovalDecision, PendingCall, RunState } from "../../message/run-state.ts";
import { invalidOption } from "../../base/options/known-options.ts";
import type { ToolTable } from "../../tool/table.ts";
import { parseArguments } from "../../schema/parse-arguments.ts";
import { sameDigest } from "../../base/util/digest.ts";
import { isPlainObject, type JsonValue } from "../../base/util/json.ts";
import type { ActiveRun } from "../state/active-run.ts";
import type { DecisionUse } from "../state/run-config.ts";
import { checkWithin } from "./check-within.ts";
import { DecisionRecord } from "./decision-record.ts";
import { readDecisions, type Decisions } from "./decisions.ts";
import { continueCall, readEarlierWork, waitingCalls, type EarlierWork } from "./earlier-work.ts";
import { isStoredCall, outcomeOf } from "../steps/stored-call.ts";
import { assertSignature, signed } from "./signature.ts";

/**
 * Makes sure that the state which a run resumes is as it was given out, and has the run carry out what was decided.
 * @param loadTools - Finds the tools that the pending calls of a run are calls of.
 * @throws InvalidInputError for a state that was changed, and for a decision that was not requested.
 */
export async function openState(
  run: ActiveRun,
  loadTools: (run: ActiveRun) => Promise<ToolTable>,
): Promise<void> {
  const { stateSecret } = run.config.options;
  if (stateSecret !== undefined && (typeof stateSecret !== "string" || stateSecret === ""))
    throw invalidOption("stateSecret must be a text that nobody can guess.", { option: "stateSecret" });
  const { resumed, record, parent } = run.config;
  // What comes from a session is the application's own, and what comes from the run around this one is signed with that.
  if (resumed && !record && !parent) await assertSignature(resumed, stateSecret);
  if (stateSecret !== undefined && !parent)
    run.configure({ signState: (state) => signed(run, state, stateSecret) });
  const originals = openCalls(run);
  const toDecide = resumed ? await callsToDecide(run, resumed) : new Map<string, PendingCall>();
  const earlier = readEarlierWork(resumed, originals);
  run.conversation.continueWork([...earlier.calls.values()]);
  run.conversation.updatePending((call) => toDecide.get(call.toolCallId) ?? call);
  const { ofTools, ofAgents: waiting } = waitingCalls(earlier);
  assertListed(resumed, [...ofTools, ...waiting]);
  const ofAgents = waiting.filter(({ approvalId }) => approvalId !== undefined);
  const own = [...toDecide.values(), ...ofTools];
  const decisions = await readDecisions(run, { ofTools: own, ofAgents }, () => loadTools(run));
  const approvals = allApprovals(run);
  const check = { originals, approvals, roots: run.config.roots, loadTools, open: openState };
  // Within a run, that around it has checked the decisions of all.
  const unchecked = parent || waiting.length === 0 ? undefined : await checkWithin(run, check);
  await record?.decide(
    approvals.filter(
      ({ approvalId, arguments: edited }) => edited === undefined || !unchecked?.has(approvalId),
    ),
  );
  if (own.length + waiting.length === 0) return;
  const results = new Set(run.config.options.results?.map(({ toolCallId }) => toolCallId));
  const decidedCalls = own.filter(({ approvalId = "" }) => decisions.has(approvalId));
  const toolCallIds = new Set([...decidedCalls.map(({ toolCallId }) => toolCallId), ...earlier.calls.keys()]);
  const use = new DecisionRecord(run, decisions, [...own, ...waiting], results, earlier.steps);
  const decided = { decisions, use };
  const execute: Execute = (call, scope, depth = 0) => {
    if (depth > 0) return executeNested(run, call, { ...scope, depth }, earlier, decided);
    // What a person has decided on are the model's own calls.
    const original = originals.get(call.toolCallId) ?? call;
    const work = earlier.calls.get(call.toolCallId);
    if (work) return continueCall(call, original, scope, work, decisions, results);
    return executeDecided(call, original, { ...scope, depth }, decided);
  };
  run.configure({ decided: { toolCallIds, execute, steps: earlier.steps, approvals, use } });
}

/** The decisions that were passed, and those that the session has. */
function allApprovals({ config: { record, options } }: ActiveRun): readonly ApprovalDecision[] {
  const all = [...(record?.decisions.values() ?? []), ...(options.approvals ?? [])];
  return [...new Map(all.map((decision) => [decision.approvalId, decision])).values()];
}

/** Signs the state of a run that failed before it was open. One that was passed in may have been changed: that stays unsigned. */
export async function signUnopened(run: ActiveRun, state: RunState): Promise<RunState> {
  const { options, resumed, signState } = run.config;
  const { stateSecret } = options;
  if (signState || resumed || typeof stateSecret !== "string" || stateSecret === "") return state;
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
  for (const { toolCallId, approvalId, input } of entriesOf(state.approvals, "approvals")) {
    const call = changedCalls.get(String(toolCallId)) ?? open.get(String(toolCallId));
    // Its result may have come from elsewhere.
    if (!call) continue;
    const actual = String(approvalId);
    const expected = await approvalIdOf(call, input, { runId, turn, stateSecret });
    if (!sameDigest(expected, actual)) throw changed(call);
    calls.set(call.toolCallId, { ...call, approvalId: actual, input: shownInput(input) });
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
  for (const { toolCallId, toolCall, input } of entriesOf(state.approvals, "approvals")) {
    const call = open.get(String(toolCallId));
    if (call) inputs.set(call.toolCallId, input);
    if (!call || toolCall === undefined) continue;
    if (!isPlainObject(toolCall)) throw changed(call);
    const { toolName, arguments: text } = toolCall;
    if (typeof toolName !== "string" || typeof text !== "string") throw changed(call);
    changedCalls.set(call.toolCallId, { ...call, toolName, arguments: text });
  }
  for (const { toolCallId, toolName, arguments: text, input, parentToolCallId } of entriesOf(
    state.pending,
    "pending",
  )) {
    // The ids of calls within a call are another run's.
    if (parentToolCallId !== undefined) continue;
    const call = changedCalls.get(String(toolCallId)) ?? open.get(String(toolCallId));
    if (!call) continue;
    const isListed = call.toolName === toolName && call.arguments === text;
    if (!isListed || !isSameInput(input, inputs.get(call.toolCallId))) throw changed(call);
  }
  return changedCalls;
}

/** @throws InvalidInputError unless the calls within calls are listed as they wait: a person decides on what is listed. */
function assertListed(state: RunState | undefined, waiting: readonly PendingCall[]): void {
  for (const { parentToolCallId, approvalId, ...listed } of state?.pending ?? []) {
    if (parentToolCallId === undefined) continue;
    const call = waiting.find(
      (each) =>
        each.approvalId === approvalId && (approvalId !== undefined || each.toolCallId === listed.toolCallId),
    );
    if (!call || !isSameCall(listed, call) || !isSameInput(listed.input, call.input)) throw changed(listed);
  }
}

function entriesOf(list: unknown, name: string): readonly Record<string, unknown>[] {
  if (list === undefined) return [];
  if (Array.isArray(list) && list.every(isPlainObject)) return list;
  throw new InvalidInputError(`The state's ${name} must be an array of calls. Pass result.state unchanged.`);
}

function changed({ toolCallId, toolName }: ToolCall): InvalidInputError {
  return new InvalidInputError(
    `The call "${toolCallId}" of ${toolName} has changed since approval was requested. Pass result.state unchanged.`,
    { toolCallId, toolName },
  );
}

/** Decisions, and which of them are carried out. */
interface UsedDecisions {
  readonly decisions: Decisions;
  readonly use: DecisionUse;
}

/** A scope, and how many tools are calling each other in it. */
type ScopeAtDepth = ExecutionScope & { readonly depth: number };

/** @param answered - The call of the model or a tool, which a middleware may have changed before approval was requested. */
async function executeDecided(
  { approvalId, input: visibleInput, ...call }: PendingCall,
  answered: ToolCall,
  { depth, ...scope }: ScopeAtDepth,
  { decisions, use }: UsedDecisions,
): Promise<CallOutcome> {
  if (approvalId === undefined) return executeCall(call, scope, depth);
  // References to results are filled in by now.
  const original = answered.arguments.includes(referenceKey) ? call : answered;
  const decision = decisions.get(approvalId);
  if (decision?.decision === "deny") {
    use.add(approvalId);
    return deny(original, scope, decision.reason);
  }
  const expected = await approvalIdOf(listedCall(call, scope), visibleInput, scope);
  if (!decision || !sameDigest(expected, approvalId))
    return (await stillWaiting(call, visibleInput, scope)) ?? executeCall(call, scope, depth);
  const edited = decision.arguments;
  const approved = new ApprovedCall<CallOutcome>(call, edited === undefined ? { visibleInput } : { edited });
  // A middleware changes the model's call as it did before; what a person wrote, it sees.
  const start = edited === undefined ? original : { ...call, arguments: edited };
  const outcome = await executeCall(start, { ...scope, approved }, depth);
  if (!("waiting" in outcome)) use.add(approvalId);
  if (!("result" in outcome) || outcome.result.toolName === answered.toolName) return outcome;
  return { ...outcome, result: { ...outcome.result, toolName: answered.toolName } };
}

/** A call that a tool makes: what is there of it from before the run paused counts. */
async function executeNested(
  run: ActiveRun,
  call: ToolCall,
  scope: ScopeAtDepth,
  { steps }: EarlierWork,
  decided: UsedDecisions,
): Promise<CallOutcome> {
  const step = steps.get(printStep(stepOfCall(call, scope)));
  if (step && "value" in step && isStoredCall(step.value)) return outcomeOf(run, step.value);
  const isSame = step && "waiting" in step && isSameCall(call, step.original ?? step.waiting);
  if (!isSame) return executeCall(call, scope, scope.depth);
  const { agent: _, parentToolCallId: _parent, ...pending } = step.waiting;
  return executeDecided(pending, call, scope, decided);
}

/** `undefined` if the call can no longer be made, which the model then sees as an error. */
async function stillWaiting(
  call: ToolCall,
  visibleInput: JsonValue | undefined,
  scope: ExecutionScope,
): Promise<CallOutcome | undefined> {
  const tool = scope.toolTable.get(call.toolName);
  if (!tool) return undefined;
  const { inputSchema } = usedTool(tool, scope.toolTable);
  const parsed = await parseArguments(call.arguments, inputSchema);
  if (!parsed.ok) return undefined;
  const same =
    visibleInput === undefined
      ? undefined
      : await inputAsShown(parsed.value, visibleInput, inputSchema, scope);
  return requestApproval(call, same ? same.input : parsed.value, scope);
}

function deny(call: ToolCall, { observer }: ExecutionScope, reason: string | undefined): CallOutcome {
  const why = reason === undefined || reason.trim() === "" ? "" : ` The reason given: ${reason.trim()}`;
  const text = `${call.toolName} was not called: a person decided against it.${why}`;
  const outcome = { result: textResult(call, text, "denied") };
  observer.start(call);
  observer.end(outcome, 0);
  return outcome;
}

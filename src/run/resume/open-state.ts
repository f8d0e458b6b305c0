import { InvalidInputError } from "../../errors.ts";
import { ApprovedCall } from "../../executor/approved-call.ts";
import { executeCall } from "../../executor/execute-call.ts";
import { textResult } from "../../executor/finalize.ts";
import { referenceKey } from "../../executor/references.ts";
import { approvalIdOf } from "../../executor/policies/approval-id.ts";
import type { CallOutcome, Execute, ExecutionScope } from "../../executor/types.ts";
import type { ToolCall } from "../../message/messages.ts";
import { unansweredCalls } from "../../message/unanswered-calls.ts";
import type { PendingCall, RunState } from "../../message/run-state.ts";
import { invalidOption } from "../../base/options/known-options.ts";
import type { ToolTable } from "../../tool/table.ts";
import { parseArguments } from "../../schema/parse-arguments.ts";
import { sameDigest } from "../../base/util/digest.ts";
import { isPlainObject } from "../../base/util/json.ts";
import type { ActiveRun } from "../state/active-run.ts";
import { readDecisions, type Decisions } from "./decisions.ts";
import { assertSignature, signed } from "./signature.ts";

/**
 * Makes sure that the state which a run resumes is as it was given out, and has the run carry out what was decided.
 * @param loadTools - Finds the tools that the pending calls are calls of.
 * @throws InvalidInputError for a state that was changed, and for a decision that was not requested.
 */
export async function openState(run: ActiveRun, loadTools: () => Promise<ToolTable>): Promise<void> {
  const { stateSecret } = run.config.options;
  if (stateSecret !== undefined && (typeof stateSecret !== "string" || stateSecret === ""))
    throw invalidOption("stateSecret must be a text that nobody can guess.", { option: "stateSecret" });
  // What comes from a session is the application's own.
  if (run.config.resumed && !run.config.record) await assertSignature(run.config.resumed, stateSecret);
  if (stateSecret !== undefined) run.configure({ signState: (state) => signed(run, state, stateSecret) });
  const toDecide = run.config.resumed
    ? await callsToDecide(run, run.config.resumed)
    : new Map<string, PendingCall>();
  run.conversation.updatePending((call) => toDecide.get(call.toolCallId) ?? call);
  const decisions = await readDecisions(run, toDecide, loadTools);
  await run.config.record?.decide(run.config.options.approvals ?? []);
  if (toDecide.size === 0) return;
  const toolCallIds = new Set(
    [...toDecide.values()].flatMap(({ toolCallId, approvalId = "" }) =>
      decisions.has(approvalId) ? [toolCallId] : [],
    ),
  );
  // What a person has decided on are the model's own calls.
  const originals = openCalls(run);
  const execute: Execute = (call, scope, depth = 0) =>
    depth === 0
      ? executeDecided(call, originals.get(call.toolCallId) ?? call, scope, decisions)
      : executeCall(call, scope, depth);
  run.configure({ decided: { toolCallIds, execute } });
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
  for (const { toolCallId, approvalId } of entriesOf(state.approvals, "approvals")) {
    const call = changedCalls.get(String(toolCallId)) ?? open.get(String(toolCallId));
    // Its result may have come from elsewhere.
    if (!call) continue;
    const actual = String(approvalId);
    // What stands for another call's result is put in only when the call is made: it is compared then.
    const isWhole = changedCalls.has(call.toolCallId) || !call.arguments.includes(referenceKey);
    const expected = isWhole ? await approvalIdOf(call, { runId, turn, stateSecret }) : actual;
    if (!sameDigest(expected, actual)) throw changed(call);
    calls.set(call.toolCallId, { ...call, approvalId: actual });
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
  for (const { toolCallId, toolCall } of entriesOf(state.approvals, "approvals")) {
    const call = open.get(String(toolCallId));
    if (!call || toolCall === undefined) continue;
    if (!isPlainObject(toolCall)) throw changed(call);
    const { toolName, arguments: text } = toolCall;
    if (typeof toolName !== "string" || typeof text !== "string") throw changed(call);
    changedCalls.set(call.toolCallId, { ...call, toolName, arguments: text });
  }
  for (const { toolCallId, toolName, arguments: text } of entriesOf(state.pending, "pending")) {
    const call = changedCalls.get(String(toolCallId)) ?? open.get(String(toolCallId));
    if (call && (call.toolName !== toolName || call.arguments !== text)) throw changed(call);
  }
  return changedCalls;
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

/** @param answered - The call of the model, which a middleware may have changed before approval was requested. */
async function executeDecided(
  call: PendingCall,
  answered: ToolCall,
  scope: ExecutionScope,
  decisions: Decisions,
): Promise<CallOutcome> {
  const { approvalId } = call;
  if (approvalId === undefined) return executeCall(call, scope);
  // References to results are filled in by now.
  const original = answered.arguments.includes(referenceKey) ? call : answered;
  const decision = decisions.get(approvalId);
  if (decision?.decision === "deny") return deny(original, scope, decision.reason);
  const current = await approvalIdOf(call, scope);
  if (!decision || !sameDigest(current, approvalId))
    return (await stillWaiting(call, current, scope)) ?? executeCall(call, scope);
  const edited = decision.arguments;
  const approved = new ApprovedCall<CallOutcome>(call, edited);
  // A middleware changes the model's call as it did before; what a person wrote, it sees.
  const start = edited === undefined ? original : { ...call, arguments: edited };
  const outcome = await executeCall(start, { ...scope, approved });
  if ("waiting" in outcome || outcome.result.toolName === answered.toolName) return outcome;
  return { ...outcome, result: { ...outcome.result, toolName: answered.toolName } };
}

/** `undefined` if the call can no longer be made, which the model then sees as an error. */
async function stillWaiting(
  call: PendingCall,
  approvalId: string,
  { toolTable }: ExecutionScope,
): Promise<CallOutcome | undefined> {
  const tool = toolTable.get(call.toolName);
  const parsed = tool && (await parseArguments(call.arguments, tool.inputSchema));
  return parsed?.ok ? { waiting: { approvalId, toolCall: call, input: parsed.value } } : undefined;
}

function deny(call: ToolCall, { observer }: ExecutionScope, reason: string | undefined): CallOutcome {
  const why = reason === undefined || reason.trim() === "" ? "" : ` The reason given: ${reason.trim()}`;
  const text = `${call.toolName} was not called: a person decided against it.${why}`;
  const outcome = { result: textResult(call, text, "denied") };
  observer.start(call);
  observer.end(outcome, 0);
  return outcome;
}

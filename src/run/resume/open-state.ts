import { InvalidInputError } from "../../errors.ts";
import { executeCall } from "../../executor/execute-call.ts";
import { textResult } from "../../executor/finalize.ts";
import { referenceKey } from "../../executor/references.ts";
import { approvalIdOf } from "../../executor/policies/approval-id.ts";
import type { CallOutcome, Execute, ExecutionScope } from "../../executor/types.ts";
import type { ToolCall } from "../../message/messages.ts";
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
 * @throws InvalidInputError for a state that was changed, and for a decision on what was not asked.
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
  if (toDecide.size === 0) return;
  const toolCallIds = new Set(
    [...toDecide.values()].flatMap(({ toolCallId, approvalId = "" }) =>
      decisions.has(approvalId) ? [toolCallId] : [],
    ),
  );
  // What a person has decided on are the model's own calls.
  const execute: Execute = (call, scope, depth = 0) =>
    depth === 0 ? executeDecided(call, scope, decisions) : executeCall(call, scope, depth);
  run.configure({ decided: { toolCallIds, execute } });
}

/** The pending calls that a person was asked about, by their ids: each is what it was then. */
async function callsToDecide(run: ActiveRun, state: RunState): Promise<ReadonlyMap<string, PendingCall>> {
  const { runId, options } = run.config;
  const { stateSecret } = options;
  const { turn } = run.meters;
  const open = new Map(run.conversation.pending.map((call) => [call.toolCallId, call]));
  for (const { toolCallId, toolName, arguments: text } of entriesOf(state.pending, "pending")) {
    const call = open.get(String(toolCallId));
    if (call && (call.toolName !== toolName || call.arguments !== text)) throw changed(call);
  }
  const calls = new Map<string, PendingCall>();
  for (const { toolCallId, approvalId } of entriesOf(state.approvals, "approvals")) {
    const call = open.get(String(toolCallId));
    // Its result may have come from elsewhere.
    if (!call) continue;
    const actual = String(approvalId);
    // What stands for another call's result is put in only when the call is made: it is compared then.
    const isWhole = !call.arguments.includes(referenceKey);
    const expected = isWhole ? await approvalIdOf(call, { runId, turn, stateSecret }) : actual;
    if (!sameDigest(expected, actual)) throw changed(call);
    calls.set(call.toolCallId, { ...call, approvalId: actual });
  }
  return calls;
}

function entriesOf(list: unknown, name: string): readonly Record<string, unknown>[] {
  if (list === undefined) return [];
  if (Array.isArray(list) && list.every(isPlainObject)) return list;
  throw new InvalidInputError(`The state's ${name} must be an array of calls. Pass result.state unchanged.`);
}

function changed({ toolCallId, toolName }: ToolCall): InvalidInputError {
  return new InvalidInputError(
    `The call "${toolCallId}" of ${toolName} is no longer the one that approval was asked for: give result.state as it was.`,
    { toolCallId, toolName },
  );
}

async function executeDecided(
  call: PendingCall,
  scope: ExecutionScope,
  decisions: Decisions,
): Promise<CallOutcome> {
  const { approvalId } = call;
  if (approvalId === undefined) return executeCall(call, scope);
  const decision = decisions.get(approvalId);
  if (decision?.decision === "deny") return deny(call, scope, decision.reason);
  const current = await approvalIdOf(call, scope);
  if (!decision || !sameDigest(current, approvalId))
    return (await stillWaiting(call, current, scope)) ?? executeCall(call, scope);
  const edited = decision.arguments;
  return executeCall(
    { ...call, ...(edited !== undefined && { arguments: edited }) },
    { ...scope, approved: { arguments: edited } },
  );
}

/** `undefined` if the call can no longer be made, of which the model is told. */
async function stillWaiting(
  call: PendingCall,
  approvalId: string,
  { toolTable }: ExecutionScope,
): Promise<CallOutcome | undefined> {
  const tool = toolTable.get(call.toolName);
  const parsed = tool && (await parseArguments(call.arguments, tool.inputSchema));
  return parsed?.ok ? { waiting: { approvalId, toolCall: call, input: parsed.value } } : undefined;
}

function deny(call: PendingCall, { observer }: ExecutionScope, reason: string | undefined): CallOutcome {
  const why = reason === undefined || reason.trim() === "" ? "" : ` The reason given: ${reason.trim()}`;
  const text = `${call.toolName} was not called: a person decided against it.${why}`;
  const outcome = { result: textResult(call, text, "denied") };
  observer.start(call);
  observer.end(outcome, 0);
  return outcome;
}

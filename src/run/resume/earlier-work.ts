import { ApprovedCall } from "../../executor/approved-call.ts";
import { executeCall } from "../../executor/execute-call.ts";
import { usedTool } from "../../executor/policies/deprecated.ts";
import { isMasked } from "../../executor/policies/mask.ts";
import { textResult } from "../../executor/finalize.ts";
import { referenceKey } from "../../executor/references.ts";
import type { CallOutcome, ExecutionScope, SettledCall, SuspendedCall } from "../../executor/types.ts";
import type { ToolCall } from "../../message/messages.ts";
import { callsWithin } from "../../message/nested-work.ts";
import type { NestedStep, NestedWork, PendingCall, RunState } from "../../message/run-state.ts";
import type { ToolTable } from "../../tool/table.ts";
import type { DecisionUse } from "../state/run-config.ts";
import { requestsOf } from "./requests-of.ts";

/** What the open calls of a resumed state have done and wait for. */
export interface EarlierWork {
  /** By the ids of the open calls. */
  readonly calls: ReadonlyMap<string, NestedWork>;
  /** Every step in them, by its key. */
  readonly steps: Map<string, NestedStep>;
}

/** A step that is a call which is made again. */
type PermittedStep = Extract<NestedStep, { readonly call: unknown }>;

/** A scope, and how many tools are calling each other in it. */
export type ScopeAtDepth = ExecutionScope & { readonly depth: number };

/** What there is for calls that wait. */
export interface Answers {
  /** By the ids of approvals. */
  readonly decisions: ReadonlyMap<string, unknown>;
  /** The ids of calls that have a result from elsewhere. */
  readonly results: ReadonlySet<string>;
  readonly use: DecisionUse;
}

/** Reads what the open calls of a state have done. */
export function readEarlierWork(
  state: RunState | undefined,
  open: ReadonlyMap<string, ToolCall>,
): EarlierWork {
  const works = state?.nested ?? [];
  const calls = new Map(
    works.flatMap((work) => (open.has(work.toolCallId) ? [[work.toolCallId, work] as const] : [])),
  );
  const steps = new Map([...calls.values()].flatMap((work) => work.steps.map((step) => [step.step, step])));
  return { calls, steps };
}

/** The calls that wait for decisions: those of this run's own tools, and those of agents within it. */
export function waitingCalls({ steps }: EarlierWork): {
  readonly ofTools: readonly PendingCall[];
  readonly ofAgents: readonly PendingCall[];
} {
  const all = [...steps.values()];
  return {
    ofTools: all.flatMap((step) => ("waiting" in step ? [step.waiting] : [])),
    ofAgents: all.flatMap((step) => ("state" in step ? callsWithin({ toolCallId: "", steps: [step] }) : [])),
  };
}

/** What a call within a call has done: it is made again as it was permitted. */
export function workWithin({ call, step }: PermittedStep, { steps }: EarlierWork): NestedWork {
  const { edited, input, sharedWith, ...toolCall } = call;
  const within = [...steps.values()].filter((each) => each.step.startsWith(`${step}/`));
  return {
    toolCallId: call.toolCallId,
    toolCall,
    ...(edited && { edited }),
    ...(input !== undefined && { input }),
    ...(sharedWith !== undefined && { sharedWith }),
    steps: within,
  };
}

/**
 * The call as it waits still, unless something within it is decided, or has a result from elsewhere. One whose run failed may wait for
 * nothing, or have agents that do not.
 */
export function stillSuspended(
  work: NestedWork,
  decisions: ReadonlyMap<string, unknown>,
  results: ReadonlySet<string>,
): SuspendedCall | undefined {
  const waiting = callsWithin(work);
  const isDecided = ({ approvalId, toolCallId }: PendingCall): boolean =>
    approvalId === undefined ? results.has(toolCallId) : decisions.has(approvalId);
  const isInterrupted = work.steps.some((step) => "state" in step && step.state.status !== "paused");
  if (isInterrupted || waiting.length === 0 || waiting.some(isDecided)) return undefined;
  return { suspended: work, requests: requestsOf(waiting) };
}

/** Calls the tool of a call again that has begun and is not finished. */
export async function continueCall(
  call: ToolCall,
  original: ToolCall,
  { depth, ...scope }: ScopeAtDepth,
  work: NestedWork,
  answers: Answers,
): Promise<CallOutcome> {
  const { toolCall = filledCall(call, original), edited, input: visibleInput } = work;
  // It was permitted when it began.
  const approved = new ApprovedCall<CallOutcome>(toolCall, { edited, visibleInput });
  // One that gets the result of another has not begun itself.
  const isContinued = work.sharedWith === undefined;
  const outcome = await executeApproved(call, original, approved, { ...scope, depth, isContinued });
  if ("waiting" in outcome) return notContinued(call, scope);
  return "suspended" in outcome ? withEarlier(outcome, work, answers, scope.toolTable) : outcome;
}

/**
 * Executes a call that a person has approved. A middleware changes it as it did before: the call of the model or the tool, or what the
 * person wrote in place of that.
 */
export async function executeApproved(
  call: ToolCall,
  answered: ToolCall,
  approved: ApprovedCall<CallOutcome>,
  { depth, ...scope }: ScopeAtDepth,
): Promise<CallOutcome> {
  const { toolName, arguments: text } = approved.edited ?? filledCall(call, answered);
  const outcome = await executeCall({ ...call, toolName, arguments: text }, { ...scope, approved }, depth);
  if (!("result" in outcome) || outcome.result.toolName === answered.toolName) return outcome;
  const result = { ...outcome.result, toolName: answered.toolName };
  const tool = scope.toolTable.get(answered.toolName);
  // A middleware may have called another tool: only what takes the place of a deprecated one has answered for it.
  const isReplaced = tool && usedTool(tool, scope.toolTable).name === outcome.result.toolName;
  return { ...outcome, result: isReplaced ? { usedTool: outcome.result.toolName, ...result } : result };
}

/** The call of the model or a tool. References to results are filled in by now. */
export function filledCall(call: ToolCall, answered: ToolCall): ToolCall {
  return answered.arguments.includes(referenceKey) ? call : answered;
}

/**
 * Continues a call, once there is the result of the equal call that it shares: with a cache, what went wrong for one has gone wrong for
 * both, and a success is in the cache.
 * @param others - The calls that are continued, by their ids: the equal one came first.
 */
export async function continueShared(
  call: ToolCall,
  work: NestedWork,
  others: ReadonlyMap<string, Promise<CallOutcome>>,
  { observer }: ExecutionScope,
  perform: () => Promise<CallOutcome>,
): Promise<CallOutcome> {
  const { sharedWith } = work;
  const other = sharedWith === undefined ? undefined : await others.get(sharedWith);
  if (!other) return perform();
  if (!("result" in other)) return { suspended: work, requests: [] };
  const { result, error } = other;
  if (result.outcome !== "error" && result.outcome !== "timeout") return perform();
  const { toolCallId, toolName } = call;
  const failed = { ...result, toolCallId, toolName };
  const outcome: SettledCall = { result: failed, cached: true, ...(error !== undefined && { error }) };
  observer.start(call);
  observer.end(outcome, 0);
  return outcome;
}

/** A call that has begun is not made again with an input that it was not permitted with. */
function notContinued(call: ToolCall, { observer }: ExecutionScope): SettledCall {
  const text = `${call.toolName} was not finished: its arguments have changed since it began. Part of it may have taken effect.`;
  const outcome = { result: textResult(call, text, "denied") };
  observer.end(outcome, 0);
  return outcome;
}

/**
 * What the tool did not come to this time is still there for the next, unless what it was part of is finished by now. A call that was
 * decided, or has its result, and was not made is forgotten: should the tool come to it after all, it waits again. Not so where the tool
 * waits before it for what had been there, and is not kept: both are needed at once.
 */
function withEarlier(
  outcome: SuspendedCall,
  earlier: NestedWork,
  { decisions, results, use }: Answers,
  toolTable: ToolTable,
): SuspendedCall {
  const { suspended } = outcome;
  const isAskedAgain = (each: NestedStep): boolean =>
    "waiting" in each && isMaskedResult(each.waiting, toolTable);
  // A run that fails carries out what was decided once it goes on.
  const mayComeStill = outcome.failure !== undefined || suspended.steps.some(isAskedAgain);
  const isAnswered = ({ approvalId, toolCallId }: PendingCall): boolean =>
    approvalId === undefined ? results.has(toolCallId) : decisions.has(approvalId);
  const isForgotten = (waiting: PendingCall): boolean => !mayComeStill && isAnswered(waiting);
  const finished = suspended.steps.filter((each) => "value" in each || "error" in each);
  const left = earlier.steps.filter(
    (each) =>
      !finished.some(({ step }) => each.step.startsWith(`${step}/`)) &&
      !("waiting" in each && isForgotten(each.waiting)),
  );
  for (const each of left) if ("waiting" in each) use.add(each.waiting.approvalId ?? "");
  const steps = new Map([...left, ...suspended.steps].map((each) => [each.step, each]));
  return { ...outcome, suspended: { ...suspended, steps: [...steps.values()] } };
}

/** Whether a result that a call waits for comes from elsewhere, and is not kept. */
function isMaskedResult({ approvalId, toolName }: PendingCall, toolTable: ToolTable): boolean {
  const tool = approvalId === undefined ? toolTable.get(toolName) : undefined;
  return tool !== undefined && (isMasked(tool) || isMasked(usedTool(tool, toolTable)));
}

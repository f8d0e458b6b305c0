import { InvalidInputError } from "../../errors.ts";
import { ApprovedCall } from "../../executor/approved-call.ts";
import { executeCall } from "../../executor/execute-call.ts";
import { textResult } from "../../executor/finalize.ts";
import { referenceKey } from "../../executor/references.ts";
import type { CallOutcome, ExecutionScope, SettledCall, SuspendedCall } from "../../executor/types.ts";
import type { ToolCall } from "../../message/messages.ts";
import { callsWithin } from "../../message/nested-work.ts";
import type { NestedStep, NestedWork, PendingCall, RunState } from "../../message/run-state.ts";
import { isObject, isPlainObject } from "../../base/util/json.ts";
import { requestsOf } from "./requests-of.ts";

/** What the open calls of a resumed state have done and wait for. */
export interface EarlierWork {
  /** By the ids of the open calls. */
  readonly calls: ReadonlyMap<string, NestedWork>;
  /** Every step in them, by its key. */
  readonly steps: Map<string, NestedStep>;
}

/**
 * Reads what the open calls of a state have done.
 * @throws InvalidInputError if it is not in the form in which a state has it.
 */
export function readEarlierWork(
  state: RunState | undefined,
  open: ReadonlyMap<string, ToolCall>,
): EarlierWork {
  const works: unknown = state?.nested ?? [];
  if (!Array.isArray(works) || !works.every(isWork))
    throw new InvalidInputError("The state's nested must be a list of calls. Pass result.state unchanged.");
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

/** Calls the tool of a call again that waits for what it has called, once something of that is decided, or has a result from elsewhere. */
export async function continueCall(
  call: ToolCall,
  original: ToolCall,
  scope: ExecutionScope,
  work: NestedWork,
  decisions: ReadonlyMap<string, unknown>,
  results: ReadonlySet<string>,
): Promise<CallOutcome> {
  const waiting = callsWithin(work);
  const isDecided = ({ approvalId, toolCallId }: PendingCall): boolean =>
    approvalId === undefined ? results.has(toolCallId) : decisions.has(approvalId);
  if (!waiting.some(isDecided)) return { suspended: work, requests: requestsOf(waiting) };
  // References to results are filled in by now.
  const answered = original.arguments.includes(referenceKey) ? call : original;
  const { toolCall = answered, isEdited, input: visibleInput } = work;
  const start = isEdited ? { ...answered, arguments: toolCall.arguments } : answered;
  // It was permitted when it began.
  const edited = isEdited && toolCall.arguments;
  const approved = new ApprovedCall<CallOutcome>(toolCall, { edited, visibleInput });
  const outcome = await executeCall(start, { ...scope, approved });
  if ("waiting" in outcome) return notContinued(call, scope);
  return "suspended" in outcome ? withEarlier(outcome, work, decisions) : outcome;
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
 * decided and not made is forgotten: should the tool come to it after all, a person decides again.
 */
function withEarlier(
  outcome: SuspendedCall,
  earlier: NestedWork,
  decisions: ReadonlyMap<string, unknown>,
): SuspendedCall {
  const { suspended } = outcome;
  const finished = suspended.steps.filter((each) => "value" in each || "error" in each);
  const left = earlier.steps.filter(
    (each) =>
      !finished.some(({ step }) => each.step.startsWith(`${step}/`)) &&
      !("waiting" in each && decisions.has(each.waiting.approvalId ?? "")),
  );
  const steps = new Map([...left, ...suspended.steps].map((each) => [each.step, each]));
  return { ...outcome, suspended: { ...suspended, steps: [...steps.values()] } };
}

function isWork(work: unknown): work is NestedWork {
  if (!isPlainObject(work) || typeof work["toolCallId"] !== "string") return false;
  const { steps, toolCall } = work;
  return Array.isArray(steps) && steps.every(isStep) && (toolCall === undefined || isCall(toolCall));
}

function isStep(step: unknown): step is NestedStep {
  if (!isPlainObject(step) || typeof step["step"] !== "string") return false;
  const { state, waiting, original } = step;
  if (state !== undefined)
    return isObject(state) && isListOfCalls(state["pending"]) && isListOfAnswers(state["modelCalls"] ?? []);
  if (waiting !== undefined) return isCall(waiting) && (original === undefined || isCall(original));
  return "value" in step || typeof step["error"] === "string";
}

function isListOfCalls(list: unknown): boolean {
  return Array.isArray(list) && list.every(isCall);
}

function isListOfAnswers(list: unknown): boolean {
  return Array.isArray(list) && list.every(isCountedAnswer);
}

function isCountedAnswer(answer: unknown): boolean {
  const usage = isPlainObject(answer) && answer["usage"];
  return isPlainObject(usage) && typeof (usage["totalTokens"] ?? 0) === "number";
}

function isCall(call: unknown): call is ToolCall {
  if (!isPlainObject(call)) return false;
  return ["toolCallId", "toolName", "arguments"].every((name) => typeof call[name] === "string");
}

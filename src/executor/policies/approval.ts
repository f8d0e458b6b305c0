import type { ToolCall } from "../../message/messages.ts";
import { isSameCall } from "../../message/unanswered-calls.ts";
import type {
  CallOutcome,
  ExecutionScope,
  Perform,
  Policy,
  ReadyCall,
  SettledCall,
  WaitingCall,
} from "../types.ts";
import { type ApprovedCall, editNote } from "../approved-call.ts";
import { notePart } from "../notes.ts";
import { refusal } from "../refusal.ts";
import { type ApprovalBinding, approvalIdOf } from "./approval-id.ts";
import { askPolicy } from "./ask-policy.ts";
import type { Tool } from "../../tool/types.ts";
import { argumentGuard, policyScope } from "./guard-arguments.ts";
import { isApproved } from "./is-approved.ts";
import {
  changedByItself,
  changesByItself,
  inputAsShown,
  permittedInput,
  shownInput,
  tooLargeToShow,
} from "./shown-input.ts";

/** Lets a call through that a person has approved, or that needs no approval; any other one waits. */
export const approval: Policy = (next, tool) => {
  const guarded = argumentGuard(tool, "approval");
  return (ready) => askOrPerform(next, ready, () => needsApproval(ready, guarded));
};

/**
 * Performs a call that a person has approved, or that needs no approval; any other one waits.
 * @param isNeeded - Whether it needs approval.
 */
export async function askOrPerform(
  next: Perform,
  ready: ReadyCall,
  isNeeded: () => Promise<boolean>,
): Promise<CallOutcome> {
  const { call, scope } = ready;
  const { approved } = scope;
  if (approved && (await isApproved(ready, approved.call))) {
    if (approved.isUsed) scope.observer.warn(repeated(call));
    return approved.perform(() => performApproved(next, ready, approved));
  }
  const mustAsk = approved?.isUnseen(call) || approved?.leadsElsewhere(call, ready.tool);
  if (!mustAsk && !(await isNeeded())) return withInput(await next(ready), ready);
  return waitForDecision(ready);
}

async function waitForDecision(ready: ReadyCall): Promise<CallOutcome> {
  const { call, scope, depth, input, tool } = ready;
  if (scope.approved?.isUsed || scope.approved?.isAnother(call))
    return refused(ready, "its approval holds for one call.");
  if (depth === 0 || scope.startWork) return requestApproval(call, tool, input, scope);
  return refused(ready, "it needs a person's approval, so it cannot be called by another tool.");
}

/** Performs a call with the input that a person was shown. Where that is impossible, another decision is needed. */
async function performApproved(
  next: Perform,
  ready: ReadyCall,
  { visibleInput, edited }: ApprovedCall<CallOutcome>,
): Promise<CallOutcome> {
  const { tool, scope } = ready;
  const approved =
    visibleInput === undefined ? ready : await inputAsShown(ready.input, visibleInput, tool, scope);
  if (!approved) return requestAgain(ready);
  const permitted = { ...ready, input: approved.input };
  return withEditNote(withInput(await next(permitted), permitted), edited);
}

/** Has a person decide on what the arguments come to now, unless that is something else each time. */
async function requestAgain({ call, tool, input, scope }: ReadyCall): Promise<CallOutcome> {
  if (await changesByItself(call, input, tool, scope.signal)) return changedByItself(call, scope);
  return requestApproval(call, tool, input, scope);
}

/**
 * Performs a call that has begun with the input that it began with, of a tool that needs no approval. Where another tool was shown
 * to a person, this one waits, too.
 */
export function withInputAsBegun(next: Perform): Perform {
  return async (ready) => {
    const { call, tool, scope, input } = ready;
    const { call: earlier, visibleInput } = scope.approved ?? {};
    if (scope.approved?.leadsElsewhere(call, tool)) return waitForDecision(ready);
    if (visibleInput === undefined || earlier?.toolName !== call.toolName) return next(ready);
    if (scope.approved?.isAnother(call)) return next(ready);
    const asShown = await inputAsShown(input, visibleInput, tool, scope);
    if (!asShown && (await changesByItself(call, input, tool, scope.signal)))
      return changedByItself(call, scope);
    return next({ ...ready, ...asShown });
  };
}

/**
 * A call that waits for a person to approve it with an input; refused if the person cannot be shown all of it.
 * @param modelCall - The call: of a deprecated tool, where another one took its place.
 */
export async function requestApproval(
  modelCall: ToolCall,
  tool: Tool,
  input: unknown,
  scope: ExecutionScope,
): Promise<WaitingCall | SettledCall> {
  const { name: toolName } = tool;
  const isReplaced = modelCall.toolName !== toolName;
  const call = isReplaced ? { ...modelCall, toolName } : modelCall;
  const visibleInput = shownInput(input);
  if (visibleInput === undefined) return tooLargeToShow(modelCall, scope);
  const edited = scope.approved?.edited;
  const version = versionOf(call, tool, scope);
  const binding = { ...bindingOf(call, scope), version };
  const approvalId = await approvalIdOf({ ...listedCall(call, scope), edited }, visibleInput, binding);
  const { origin } = binding;
  const waiting = { approvalId, toolCall: call, input };
  return {
    waiting,
    visibleInput,
    ...(origin && { origin }),
    ...(version !== undefined && { version }),
    ...(edited && { edited }),
    ...(isReplaced && { isChanged: isReplaced }),
  };
}

/** What an approval of a call is bound to. */
export function bindingOf({ toolName }: ToolCall, scope: ExecutionScope): ApprovalBinding {
  return { ...scope, origin: scope.toolNames?.originOf(scope.agent?.name, toolName) };
}

/**
 * The version of a tool that an approval is for. Versions take each other's place in a toolset, one without a number included; what states
 * from before versions were noted say nothing of, they are not held to.
 */
export function versionOf(
  { toolName }: ToolCall,
  { annotations: { version } }: Tool,
  { toolNames, agent }: ExecutionScope,
): string | undefined {
  const isOfToolset = (toolNames?.originOf(agent?.name, toolName)?.length ?? 0) > 0;
  return version ?? (isOfToolset ? "" : undefined);
}

/** A call as it is listed among the pending ones: references to results stay in it. */
export function listedCall(call: ToolCall, { source }: ExecutionScope): ToolCall {
  return source && isSameCall(call, source.filled) ? source.call : call;
}

/** What a call was permitted with: when it is called again after what it waits for, its arguments must not come to something else. */
function withInput(outcome: CallOutcome, { call, depth, input }: ReadyCall): CallOutcome {
  if ("suspended" in outcome)
    return { ...outcome, suspended: { ...outcome.suspended, ...permittedInput(input) } };
  // The tool that made a call whose value is not kept makes it again.
  if (!("result" in outcome) || outcome.value === undefined || depth === 0) return outcome;
  return { ...outcome, permitted: { ...call, ...permittedInput(input) } };
}

function repeated({ toolName, toolCallId }: ToolCall): string {
  return `A middleware of the call "${toolCallId}" of ${toolName} called next again, which has no effect. An approval holds for one call.`;
}

function refused({ call, scope }: ReadyCall, why: string): CallOutcome {
  return { result: refusal(call, why, "denied", scope) };
}

/** Anything but a clear "no" is left to a person. */
async function needsApproval(
  { tool, input, scope }: ReadyCall,
  guarded: (input: unknown) => unknown,
): Promise<boolean> {
  const {
    name,
    policy: { approval },
  } = tool;
  if (typeof approval !== "function") return true;
  const { context, agent, signal, observer } = scope;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema has checked the arguments, the program gave the context
  const ask = approval as (args: unknown, scope: unknown) => unknown;
  const failure = `A person has to decide, because the approval function of the tool ${name} failed`;
  const warn = (message: string): void => observer.warn(message);
  return (
    (await askPolicy(
      tool,
      () => ask(guarded(input), policyScope(name, "approval", { context, agent })),
      failure,
      warn,
      signal,
    )) !== false
  );
}

/** Adds to a result that the tool was called with other arguments than the model gave. */
function withEditNote(outcome: CallOutcome, edited: ToolCall | undefined): CallOutcome {
  if (edited === undefined || "waiting" in outcome) return outcome;
  if ("suspended" in outcome) return { ...outcome, suspended: { ...outcome.suspended, edited } };
  const { result, final } = outcome;
  const permitted = outcome.permitted && { permitted: { ...outcome.permitted, edited } };
  // The text of a final result is the run's answer, which nobody but the user reads.
  if (final) return { ...outcome, ...permitted };
  const content = [...result.content, notePart(editNote(edited))];
  return { ...outcome, ...permitted, result: { ...result, content } };
}

import { chain, type MaybePromise } from "../base/util/maybe-promise.ts";
import { GuardError, UnknownArgumentError } from "../errors.ts";
import type { ToolCall, ToolResult } from "../message/messages.ts";
import { unfinished } from "../message/unanswered-calls.ts";
import { notExecuted } from "../message/unanswered-calls.ts";
import type { Issue, Validation } from "../schema/types.ts";
import { isForTools } from "../tool/table.ts";
import type { Tool } from "../tool/types.ts";
import { correctArguments, correctName } from "./corrections.ts";
import { thrownResult, valueText } from "./finalize.ts";
import { parseInTime } from "./parse-in-time.ts";
import { defaultTimeout, performTool } from "./perform-tool.ts";
import { replacementElsewhere, replacementOf } from "./policies/deprecated.ts";
import { cancelledBeforeStart, correctionOf, refusal } from "./refusal.ts";
import type { Settlement } from "./settle.ts";
import { stepOfCall } from "./step-of-call.ts";
import type {
  BatchOutcome,
  CallOutcome,
  CallStart,
  ExecutionScope,
  ReadyCall,
  SettledCall,
} from "./types.ts";
import { isThrown } from "../base/util/is-error.ts";
import { withinLimits } from "./within-limits.ts";

/**
 * Executes one call: finds the tool, checks the arguments, applies the tool's policies and calls the tool.
 * Never rejects.
 */
export async function executeCall(call: ToolCall, scope: ExecutionScope, depth = 0): Promise<CallOutcome> {
  const startedAt = performance.now();
  scope.observer.start(call);
  const performed = scope.around
    ? scope.around(call, scope, (current, within) => perform(current, within, depth))
    : perform(call, scope, depth);
  const outcome = await performed;
  if (!("result" in outcome) || isLeftOpen(outcome, depth)) return outcome;
  await endCall(call, outcome, scope, startedAt);
  return scope.isVisible ? withoutHidden(outcome, scope) : outcome;
}

/** Whether a call stays pending: the run ends before it, and executes it should it be resumed. */
export function isLeftOpen(settled: SettledCall, depth = 0): boolean {
  const isForLimit = depth === 0 && settled.limit === "maxToolCalls" && settled.isUnstarted === true;
  // A call that a tool makes goes on with that: of what fails a run, only a guard leaves it open.
  const isForFailure = depth === 0 || isThrown(settled.error, GuardError);
  return isForLimit || (settled.isLeftOpen === true && isForFailure);
}

/** What may be kept, and shown, of a call: what a model would read. */
function withoutHidden(settled: SettledCall, { toolTable }: ExecutionScope): SettledCall {
  const { result } = settled;
  const isShown = toolTable.get(result.usedTool ?? result.toolName)?.annotations.ui !== undefined;
  const visible = settled.value === undefined ? settled : withoutMasked(settled);
  return isShown && isForPage(result) ? withoutPageData(visible) : visible;
}

function withoutMasked(settled: SettledCall): SettledCall {
  const { value: _value, cut: _cut, permitted: _permitted, isNotRepeated: _, ...visible } = settled;
  return visible;
}

/** Whether what is structured in a result is more than its text: then it is for the page that shows the call. */
function isForPage({ structuredContent, content }: ToolResult): boolean {
  return structuredContent !== undefined && valueText({ content }) !== JSON.stringify(structuredContent);
}

function withoutPageData({ cut: _cut, meta: _meta, result, ...settled }: SettledCall): SettledCall {
  const { structuredContent: _, ...visible } = result;
  return { ...settled, result: visible };
}

/** Executes a call of a batch. Where a run can wait for it, one of a tool without `execute` is left to the program. */
export function executeOrLeave(call: ToolCall, scope: ExecutionScope): Promise<BatchOutcome> {
  const tool = scope.toolTable.get(call.toolName);
  const isLeft =
    tool &&
    !tool.execute &&
    scope.startWork &&
    !isForTools(tool) &&
    !replacementElsewhere(tool, scope.toolTable);
  if (!isLeft) return scope.execute(call, scope);
  return scope.features.leaveCall(call, tool, scope);
}

/** Counts a call that has its result, and reports it. */
export function endCall(
  call: ToolCall,
  settled: SettledCall,
  scope: ExecutionScope,
  startedAt: number,
): MaybePromise<void> {
  const durationMs = performance.now() - startedAt;
  scope.toolTable.record(settled.result, durationMs, settled.cached);
  scope.observer.end(settled, durationMs);
  if (settled.error !== undefined) return reportBug(call, settled.error, scope);
}

/** What a model reads of a mistake in the code, its author has to learn of, too. */
async function reportBug(
  { toolName }: ToolCall,
  error: unknown,
  { features, observer }: ExecutionScope,
): Promise<void> {
  const bug = await features.describeBug(toolName, error);
  if (bug !== undefined) observer.warn(bug);
}

function perform(call: ToolCall, scope: ExecutionScope, depth: number): MaybePromise<CallOutcome> {
  // Reading thousands of arguments takes its time, and nobody waits for it any more.
  if (scope.signal?.aborted) return cancelledBeforeStart(call, scope);
  const tool = scope.toolTable.get(call.toolName);
  if (!tool || (depth === 0 && isForTools(tool))) return refuse(call, scope);
  scope.toolNames?.note(scope.agent?.name, tool.name, scope.toolTable);
  const elsewhere = tool.annotations.deprecated && replacementElsewhere(tool, scope.toolTable);
  if (elsewhere) return { result: refusal(call, `call ${elsewhere.name} instead.`, "not-executed", scope) };
  // Calls of a deprecated tool go to its replacement, if it names one.
  const current = tool.annotations.deprecated ? replacementOf(tool, scope) : tool;
  if (current !== tool) scope.toolNames?.note(scope.agent?.name, current.name, scope.toolTable);
  scope.watch?.(current.name, call, scope.agent?.name ?? "", stepOfCall(call, scope));
  const performed = performWith(current, call, scope, depth);
  return current === tool ? performed : chain(performed, (outcome) => withUsedTool(outcome, current, call));
}

/** What requires a tool must know that it was called, under whatever name. */
function withUsedTool(outcome: CallOutcome, { name }: Tool, { toolName }: ToolCall): CallOutcome {
  if (!("result" in outcome) || name === toolName) return outcome;
  return { ...outcome, result: { ...outcome.result, usedTool: name } };
}

function performWith(
  tool: Tool,
  call: ToolCall,
  scope: ExecutionScope,
  depth: number,
): MaybePromise<CallOutcome> {
  if (!tool.execute && (depth === 0 || !scope.startWork)) return leave(call);
  return chain(readArguments(call, tool, scope), (read) => performRead(read, tool, call, scope, depth));
}

function performRead(
  read: ReadArguments,
  tool: Tool,
  call: ToolCall,
  scope: ExecutionScope,
  depth: number,
): MaybePromise<CallOutcome> {
  if ("result" in read) return read;
  if (scope.signal?.aborted) return cancelledBeforeStart(call, scope);
  const ready: ReadyCall = { call, tool, input: read.input, scope, depth };
  if (!tool.execute) return scope.features.waitForResult(ready);
  if (hasPolicies(tool) || scope.approved) return performGuarded(ready);
  return scope.limits?.isSet ? withinLimits(performTool)(ready) : performTool(ready);
}

async function performGuarded(ready: ReadyCall): Promise<CallOutcome> {
  const { call, tool, scope } = ready;
  const start: CallStart = { hasBegun: false };
  try {
    return await chain(scope.features.withPolicies(tool, performTool), (within) =>
      within({ ...ready, start }),
    );
  } catch (error) {
    if (scope.signal?.aborted)
      return start.hasBegun
        ? { result: unfinished(call, "The run was cancelled") }
        : cancelledBeforeStart(call, scope);
    // A mistake in the program: the model cannot correct it.
    if (isThrown(error, UnknownArgumentError)) scope.observer.warn(error.message);
    return { result: thrownResult(call, error), error };
  }
}

function refuse(call: ToolCall, scope: ExecutionScope): SettledCall {
  const outcome = scope.toolTable.refused.has(call.toolName) ? "denied" : "unknown-tool";
  return { result: correctionOf(call, correctName(call, scope), outcome, scope) };
}

function leave(call: ToolCall): SettledCall {
  return {
    result: notExecuted(call, "it has no execute function, so its result has to come from elsewhere."),
  };
}

/** The result of reading arguments: the tool's input, or the correction for the model. */
type ReadArguments = { readonly input: unknown } | SettledCall;

/** Reads the arguments of a call as its tool has them. */
export function readArguments(
  call: ToolCall,
  tool: Tool,
  scope: ExecutionScope,
): MaybePromise<ReadArguments> {
  return chain(parseInTime(call.arguments, tool, scope.signal), (read) => inputOf(read, call, tool, scope));
}

function inputOf(
  read: Settlement<Validation<unknown>>,
  call: ToolCall,
  tool: Tool,
  scope: ExecutionScope,
): MaybePromise<ReadArguments> {
  switch (read.kind) {
    case "value":
      return read.value.ok ? { input: read.value.value } : corrected(call, tool, read.value.issues, scope);
    case "error":
      // A schema that cannot be used (a $ref to nothing) is the program's mistake; the other calls go on all the same.
      return { result: thrownResult(call, read.error), error: read.error };
    case "timeout":
      return { result: refusal(call, tooSlow(tool), "timeout", scope) };
    case "cancelled":
      return cancelledBeforeStart(call, scope);
  }
}

function tooSlow({ policy: { timeout = defaultTimeout } }: Tool): string {
  return `the check of its arguments did not finish within ${timeout} ms.`;
}

async function corrected(
  call: ToolCall,
  tool: Tool,
  issues: readonly Issue[],
  scope: ExecutionScope,
): Promise<SettledCall> {
  const text = await correctArguments(call, tool, issues, scope.messages);
  return { result: correctionOf(call, text, "invalid-arguments", scope) };
}

/** What is built in of a tool's policies: the code of the others is loaded on demand. */
const builtIn: ReadonlySet<string> = new Set<keyof Tool["policy"]>(["timeout", "strict", "callers"]);

function hasPolicies({ policy }: Tool): boolean {
  for (const name in policy) if (!builtIn.has(name)) return true;
  return false;
}

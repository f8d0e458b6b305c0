import { chain, type MaybePromise } from "../base/util/maybe-promise.ts";
import { UnknownArgumentError } from "../errors.ts";
import type { ToolCall } from "../message/messages.ts";
import { parseArguments } from "../schema/parse-arguments.ts";
import type { Issue, Validation } from "../schema/types.ts";
import type { Tool } from "../tool/types.ts";
import { correctArguments, correctName } from "./corrections.ts";
import { textResult, thrownResult } from "./finalize.ts";
import { defaultTimeout, performTool } from "./perform-tool.ts";
import { replacementOf } from "./policies/deprecated.ts";
import { LazySignal, settle } from "./settle.ts";
import type { CallOutcome, ExecutionScope, ReadyCall, SettledCall } from "./types.ts";

/**
 * Executes one call: finds the tool, checks the arguments, applies the tool's policies and calls the tool.
 * Never rejects.
 */
export async function executeCall(call: ToolCall, scope: ExecutionScope, depth = 0): Promise<CallOutcome> {
  const startedAt = performance.now();
  scope.observer.start(call);
  const performed = scope.around
    ? scope.around(call, scope, (current) => perform(current, scope, depth))
    : perform(call, scope, depth);
  const outcome = await performed;
  if ("result" in outcome) {
    const durationMs = performance.now() - startedAt;
    scope.toolTable.record(outcome.result, durationMs, outcome.cached);
    scope.observer.end(outcome, durationMs);
    if (outcome.error !== undefined) await reportBug(call, outcome.error, scope);
  }
  return outcome;
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
  const tool = scope.toolTable.get(call.toolName);
  if (!tool) return refuse(call, scope);
  // Calls of a deprecated tool go to its replacement, if it names one.
  const current = tool.annotations.deprecated ? replacementOf(tool, scope) : tool;
  return performWith(current, call, scope, depth);
}

function performWith(
  tool: Tool,
  call: ToolCall,
  scope: ExecutionScope,
  depth: number,
): MaybePromise<CallOutcome> {
  if (!tool.execute) return refuse(call, scope);
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
  if (scope.signal?.aborted) return cancelledBeforeStart(call);
  const ready: ReadyCall = { call, tool, input: read.input, scope, depth };
  return hasPolicies(tool) ? performGuarded(ready) : performTool(ready);
}

async function performGuarded(ready: ReadyCall): Promise<CallOutcome> {
  const { call, tool, scope } = ready;
  try {
    return await chain(scope.features.withPolicies(tool, performTool), (within) => within(ready));
  } catch (error) {
    if (scope.signal?.aborted) return cancelledBeforeStart(call);
    // A mistake in the program: the model cannot correct it.
    if (error instanceof UnknownArgumentError) scope.observer.warn(error.message);
    return { result: thrownResult(call, error), error };
  }
}

function refuse(call: ToolCall, { toolTable, messages }: ExecutionScope): SettledCall {
  const outcome = toolTable.refused.has(call.toolName) ? "denied" : "unknown-tool";
  return { result: textResult(call, correctName(call, toolTable.names, messages), outcome) };
}

/** The outcome of a call that was cancelled before it began. */
export function cancelledBeforeStart(call: ToolCall): SettledCall {
  return {
    isUnstarted: true,
    result: textResult(call, `${call.toolName} was not called: the run was cancelled.`, "cancelled"),
  };
}

/** The result of reading arguments: the tool's input, or the correction for the model. */
type ReadArguments = { readonly input: unknown } | SettledCall;

function readArguments(
  call: ToolCall,
  tool: Tool,
  { messages, signal }: ExecutionScope,
): MaybePromise<ReadArguments> {
  const take = (parsed: Validation<unknown>): MaybePromise<ReadArguments> =>
    parsed.ok ? { input: parsed.value } : corrected(call, tool, parsed.issues, messages);
  // A schema that cannot be used (a $ref to nothing) is the program's mistake; the other calls go on all the same.
  const unusable = (error: unknown): SettledCall => ({ result: thrownResult(call, error), error });
  try {
    const read = chain(parseArguments(call.arguments, tool.inputSchema), take);
    return read instanceof Promise ? readInTime(read.catch(unusable), call, tool, signal) : read;
  } catch (error) {
    return unusable(error);
  }
}

/** A check of one's own may wait for a database: what bounds a call bounds the check of its arguments. */
async function readInTime(
  read: Promise<ReadArguments>,
  call: ToolCall,
  { policy: { timeout = defaultTimeout } }: Tool,
  signal: AbortSignal | undefined,
): Promise<ReadArguments> {
  let inTime: ReadArguments | undefined;
  const settlement = await settle(
    read.then((value) => (inTime = value)),
    new LazySignal(),
    timeout,
    signal,
  );
  if (settlement.kind === "timeout") {
    const text = `${call.toolName} was not called: the check of its arguments did not finish within ${timeout} ms.`;
    return { isUnstarted: true, result: textResult(call, text, "timeout") };
  }
  return inTime ?? cancelledBeforeStart(call);
}

async function corrected(
  call: ToolCall,
  tool: Tool,
  issues: readonly Issue[],
  messages: ExecutionScope["messages"],
): Promise<SettledCall> {
  const text = await correctArguments(call, tool, issues, messages);
  return { result: textResult(call, text, "invalid-arguments") };
}

/** Whether a tool has policies beyond `timeout` and `strict`, which are built in: the code of the others is loaded on demand. */
function hasPolicies({ policy }: Tool): boolean {
  for (const name in policy) if (name !== "timeout" && name !== "strict") return true;
  return false;
}

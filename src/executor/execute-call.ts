import type { ToolCall } from "../message/messages.ts";
import { parseArguments } from "../schema/parse-arguments.ts";
import type { Issue, Validation } from "../schema/types.ts";
import type { Tool } from "../tool/types.ts";
import { textResult, thrownResult } from "./finalize.ts";
import { performTool } from "./perform-tool.ts";
import type * as Policies from "./policies/index.ts";
import type { CallOutcome, ExecutionScope, SettledCall } from "./types.ts";

/** Kept: importing again costs more than most policies do. */
let policies: typeof Policies | undefined;

/**
 * Executes one call: finds the tool, checks the arguments, and lets the tool's policies and then the tool have it.
 * Never rejects.
 */
export async function executeCall(call: ToolCall, scope: ExecutionScope, depth = 0): Promise<CallOutcome> {
  const startedAt = performance.now();
  scope.observer.start(call);
  const outcome = await perform(call, scope, depth);
  if ("result" in outcome) {
    const durationMs = performance.now() - startedAt;
    scope.registry.record(outcome.result, durationMs, outcome.cached);
    scope.observer.end(outcome, durationMs);
  }
  return outcome;
}

async function perform(call: ToolCall, scope: ExecutionScope, depth: number): Promise<CallOutcome> {
  const found = findTool(call.toolName, scope);
  const tool = found instanceof Promise ? await found : found;
  if (!tool?.execute) {
    const { names, refused } = scope.registry;
    const outcome = refused.has(call.toolName) ? "denied" : "unknown-tool";
    const { correctName } = await import("./corrections.ts");
    return { result: textResult(call, correctName(call, names, scope.messages), outcome) };
  }
  const read = readArguments(call, tool, scope);
  const parsed = read instanceof Promise ? await read : read;
  if ("result" in parsed) return parsed;
  if (scope.signal?.aborted) return cancelled(call);
  const ready = { call, tool, input: parsed.input, scope, depth, execute: executeCall };
  if (!hasPolicies(tool)) return performTool(ready);
  try {
    policies ??= await import("./policies/index.ts");
    return await policies.withPolicies(tool, performTool)(ready);
  } catch (error) {
    return scope.signal?.aborted ? cancelled(call) : { result: thrownResult(call, error), error };
  }
}

/** Calls of a tool that another one took the place of go to that one. */
function findTool(name: string, scope: ExecutionScope): Tool | undefined | Promise<Tool> {
  const tool = scope.registry.get(name);
  if (!tool?.annotations.deprecated) return tool;
  return import("./policies/deprecated.ts").then(({ replacementOf }) => replacementOf(tool, scope));
}

function cancelled(call: ToolCall): SettledCall {
  return { result: textResult(call, `${call.toolName} was not called: the run was cancelled.`, "cancelled") };
}

/** What came of reading arguments: the tool's input, or what the model is told instead. */
type ReadArguments = { readonly input: unknown } | SettledCall;

function readArguments(
  call: ToolCall,
  tool: Tool,
  { messages }: ExecutionScope,
): ReadArguments | Promise<ReadArguments> {
  const take = (parsed: Validation<unknown>): ReadArguments | Promise<ReadArguments> =>
    parsed.ok ? { input: parsed.value } : corrected(call, tool, parsed.issues, messages);
  // A schema that cannot be used (a $ref to nothing) is the program's mistake; the other calls go on all the same.
  const unusable = (error: unknown): SettledCall => ({ result: thrownResult(call, error), error });
  try {
    const parsed = parseArguments(call.arguments, tool.inputSchema);
    const read = parsed instanceof Promise ? parsed.then(take) : take(parsed);
    return read instanceof Promise ? read.catch(unusable) : read;
  } catch (error) {
    return unusable(error);
  }
}

async function corrected(
  call: ToolCall,
  tool: Tool,
  issues: readonly Issue[],
  messages: ExecutionScope["messages"],
): Promise<SettledCall> {
  const { correctArguments } = await import("./corrections.ts");
  const text = await correctArguments(call, tool, issues, messages);
  return { result: textResult(call, text, "invalid-arguments") };
}

/** What every tool has costs nothing; the rest is loaded for those that ask for it. */
function hasPolicies({ policy }: Tool): boolean {
  for (const name in policy) if (name !== "timeout" && name !== "strict") return true;
  return false;
}

import { asAgent } from "../agent/handoff.ts";
import { executeBatch } from "../executor/execute-batch.ts";
import { executeCall } from "../executor/execute-call.ts";
import type { ToolCall, ToolResult } from "../message/messages.ts";
import { notExecuted } from "../message/unanswered-calls.ts";
import { resolveTools } from "../tool/register-tools.ts";
import type { Toolset, ToolSources } from "../tool/types.ts";
import { notify, printFailure } from "../base/util/callbacks.ts";
import { assertCount } from "../base/options/at-least.ts";
import { assertFunction } from "../base/options/assert-function.ts";
import { assertKnownOptions } from "../base/options/known-options.ts";
import { InvalidInputError } from "../errors.ts";
import { toolCallProblem } from "../message/tool-call-problem.ts";
import { frozenContext } from "./state/frozen-context.ts";
import type { ExecuteOptions } from "./types.ts";
import { driveRun } from "./drive-run.ts";
import { callFeatures, loadOfferedTools } from "./features.ts";
import { CallLimitsOfRun } from "./state/call-limits.ts";
import { startRun } from "./start.ts";
import { uniqueCallIds } from "./turn/unique-call-ids.ts";

const optionNames = {
  context: true,
  signal: true,
  concurrency: true,
  onProgress: true,
  onWarning: true,
} satisfies Record<keyof ExecuteOptions, true>;

/** @throws ConfigurationError for the first invalid option. */
function assertOptions(options: ExecuteOptions): void {
  assertKnownOptions(options, optionNames, "executeToolCalls()");
  assertCount("concurrency", options.concurrency, 1);
  assertFunction("onProgress", options.onProgress, "executeToolCalls()", "onProgress: (call, value) => {}");
  assertFunction("onWarning", options.onWarning, "executeToolCalls()", "onWarning: (message) => {}");
}

/** @throws InvalidInputError naming the first that is not a call. */
function assertCalls(calls: readonly unknown[]): void {
  if (!Array.isArray(calls))
    throw new InvalidInputError("The calls must be a list. Pass generation.toolCalls.");
  for (const [index, call] of calls.entries()) {
    const problem = toolCallProblem(call);
    if (problem !== undefined) throw new InvalidInputError(`calls[${index}] ${problem}`);
  }
}

/** Executes calls outside a run. Agents that tools call run on their own. */
export async function executeOutside(
  calls: readonly ToolCall[],
  tools: ToolSources | Toolset,
  options: ExecuteOptions,
): Promise<readonly ToolResult[]> {
  assertCalls(calls);
  assertOptions(options);
  const { signal } = options;
  const context = frozenContext(options.context, {});
  const warn = (message: string): void =>
    notify(
      () => options.onWarning?.(message),
      (error) => printFailure("options.onWarning", error),
    );
  const caller = { context, agent: undefined, signal, warn };
  const all = await resolveTools(tools, { context, warn });
  const toolTable = all.isGuarded ? await (await loadOfferedTools()).offeredTools(all, caller) : all;
  const outcomes = await executeBatch(withUniqueIds(calls), {
    toolTable,
    context,
    agent: undefined,
    messages: [],
    runId: crypto.randomUUID(),
    signal,
    concurrency: options.concurrency,
    observer: {
      start: () => undefined,
      progress: (call, value) =>
        notify(
          () => options.onProgress?.(call, value),
          (error) => printFailure("options.onProgress", error),
        ),
      end: () => undefined,
      warn,
    },
    memory: new Map(),
    limits: new CallLimitsOfRun(undefined),
    execute: executeCall,
    features: callFeatures,
    runAgent: async ({
      agent,
      input,
      signal,
      options: { events: _events, detached: _detached, ...limits },
    }) => {
      const { status, text } = await driveRun(startRun(asAgent(agent), input, { ...limits, signal }));
      if (status === "completed") return text;
      // Nothing outside a run can go on with it.
      throw new Error(`${agent.name} ended without an answer (${status}).`);
    },
  });
  return calls.map((call, index) => {
    const outcome = outcomes[index];
    if (!outcome || !("result" in outcome)) return notExecuted(call, "it needs a person's approval.");
    return { ...outcome.result, toolCallId: call.toolCallId };
  });
}

/** The calls, each under an id of its own: two charges under one id must not have one idempotency key. */
function withUniqueIds(calls: readonly ToolCall[]): readonly ToolCall[] {
  return uniqueCallIds({ role: "assistant", content: [], toolCalls: calls }).toolCalls;
}

import { asAgent } from "../agent/handoff.ts";
import { executeBatch } from "../executor/execute-batch.ts";
import { toolsOffered } from "../executor/tools-offered.ts";
import type { ToolCall, ToolResult } from "../message/messages.ts";
import { notExecuted } from "../message/unanswered-calls.ts";
import { resolveTools } from "../tool/resolve.ts";
import type { ToolRegistry } from "../tool/registry.ts";
import type { ToolSources } from "../tool/types.ts";
import { frozenCopy } from "../util/snapshot.ts";
import { run } from "./run.ts";

/** How to execute calls outside a run. */
export interface ExecuteOptions {
  /** Given to the tools. */
  readonly context?: unknown;
  readonly signal?: AbortSignal;
  /** Calls at once; 8 by default. */
  readonly concurrency?: number;
  /** Called with each value that a tool reports. */
  readonly onProgress?: (call: ToolCall, value: unknown) => void;
}

/**
 * Executes the tool calls of a generation, side by side; the results are in call order. Every failure is a result.
 * @throws ConfigurationError if the tools themselves are not in order.
 */
export async function executeToolCalls(
  calls: readonly ToolCall[],
  tools: ToolSources | ToolRegistry,
  options: ExecuteOptions = {},
): Promise<readonly ToolResult[]> {
  const { signal } = options;
  const context = frozenCopy(options.context ?? {});
  const warn = (): void => undefined;
  const caller = { context, agent: undefined, signal, warn };
  const outcomes = await executeBatch(calls, {
    registry: await toolsOffered(await resolveTools(tools), caller),
    context,
    agent: undefined,
    messages: [],
    runId: crypto.randomUUID(),
    signal,
    concurrency: options.concurrency,
    observer: {
      start: () => undefined,
      progress: (call, value) => options.onProgress?.(call, value),
      end: () => undefined,
      warn,
    },
    memory: new Map(),
    runAgent: async (agent, input, _call, signal) => (await run(asAgent(agent), input, { signal })).text,
  });
  return outcomes.map((outcome) =>
    "result" in outcome
      ? outcome.result
      : notExecuted(
          "held" in outcome ? outcome.held : outcome.waiting.toolCall,
          "it needs a person's approval.",
        ),
  );
}

import { asAgent } from "../agent/handoff.ts";
import { executeBatch } from "../executor/execute-batch.ts";
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
  const registry = await resolveTools(tools);
  const context = frozenCopy(options.context ?? {});
  const outcomes = await executeBatch(calls, {
    registry: registry.isGuarded ? await offered(registry, context, options.signal) : registry,
    context,
    agent: undefined,
    messages: [],
    runId: crypto.randomUUID(),
    signal: options.signal,
    concurrency: options.concurrency,
    observer: {
      start: () => undefined,
      progress: (call, value) => options.onProgress?.(call, value),
      end: () => undefined,
      warn: () => undefined,
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

async function offered(
  registry: ToolRegistry,
  context: unknown,
  signal: AbortSignal | undefined,
): Promise<ToolRegistry> {
  const { offeredTools } = await import("../executor/offered-tools.ts");
  return offeredTools(registry, { context, agent: undefined, signal, warn: () => undefined });
}

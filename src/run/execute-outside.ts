import { asAgent } from "../agent/handoff.ts";
import { executeBatch } from "../executor/execute-batch.ts";
import { executeCall } from "../executor/execute-call.ts";
import { toolsOffered } from "../executor/tools-offered.ts";
import type { ToolCall, ToolResult } from "../message/messages.ts";
import { notExecuted } from "../message/unanswered-calls.ts";
import { resolveTools } from "../tool/resolve.ts";
import type { Toolset, ToolSources } from "../tool/types.ts";
import { frozenCopy } from "../base/util/snapshot.ts";
import type { ExecuteOptions } from "./types.ts";
import type { run } from "./run.ts";

/** Executes calls outside a run. Agents that tools ask are run by `runAgent`. */
export async function executeOutside(
  calls: readonly ToolCall[],
  tools: ToolSources | Toolset,
  options: ExecuteOptions,
  runAgent: typeof run,
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
    execute: executeCall,
    runAgent: async (agent, input, _step, signal) => (await runAgent(asAgent(agent), input, { signal })).text,
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

import type { ToolCall, ToolResult } from "../message/messages.ts";
import type { Toolset, ToolSources } from "../tool/types.ts";
import { noteOrigin } from "../tool/origins.ts";
import type { ExecuteOptions } from "./types.ts";

/**
 * Executes the tool calls of a generation, side by side; the results are in call order. Every failure is a result.
 * @throws ConfigurationError if the tools themselves are not in order.
 */
export async function executeToolCalls(
  calls: readonly ToolCall[],
  tools: ToolSources | Toolset,
  options: ExecuteOptions = {},
): Promise<readonly ToolResult[]> {
  noteOrigin(tools, executeToolCalls, [1]);
  const { executeOutside } = await import("./execute-outside.ts");
  return executeOutside(calls, tools, options);
}

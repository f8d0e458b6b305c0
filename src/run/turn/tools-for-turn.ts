import type { AnyAgent } from "../../agent/agent.ts";
import { toolsOf } from "../../agent/agent-tools.ts";
import type { ToolTable } from "../../tool/table.ts";
import { warn } from "../events/emit.ts";
import { loadOfferedTools } from "../features.ts";
import type { ActiveRun } from "../state/active-run.ts";

/**
 * The tools that an agent of a run may use as things stand; that which has the lead by default. No promise where they are
 * always the same: most agents have such tools, and every turn needs the list.
 */
export function toolsForTurn(run: ActiveRun, agent: AnyAgent = run.agent): ToolTable | Promise<ToolTable> {
  const { messages, hasTruncated } = run.conversation;
  const tools = toolsOf(agent, run.context, messages, (text) => warn(run, text), hasTruncated);
  return tools instanceof Promise || tools.isGuarded ? offered(run, agent, tools) : tools;
}

async function offered(
  run: ActiveRun,
  agent: AnyAgent,
  tools: ToolTable | Promise<ToolTable>,
): Promise<ToolTable> {
  const { context } = run;
  const { scope } = run.config;
  const toolTable = await scope.race(tools);
  if (!toolTable.isGuarded) return toolTable;
  const { offeredTools } = await loadOfferedTools();
  const caller = { context, agent, signal: scope.signal, warn: (text: string) => warn(run, text) };
  return scope.race(offeredTools(toolTable, caller));
}

import type { AnyAgent } from "../../agent/agent.ts";
import { toolsOf } from "../../agent/agent-tools.ts";
import type { ToolTable } from "../../tool/table.ts";
import { warn } from "../events/emit.ts";
import { loadKeepNames, loadOfferedTools } from "../features.ts";
import type { ActiveRun } from "../state/active-run.ts";

/**
 * The tools that an agent of a run may use as things stand; that which has the lead by default. No promise where they are
 * always the same: most agents have such tools, and every turn needs the list.
 */
export function toolsForTurn(run: ActiveRun, agent: AnyAgent = run.agent): ToolTable | Promise<ToolTable> {
  const { messages, hasTruncated } = run.conversation;
  const tools = toolsOf(agent, run.context, messages, (text) => warn(run, text), hasTruncated);
  const isFinal = !(tools instanceof Promise) && !tools.isGuarded && run.toolNames.fit(agent.name, tools);
  return isFinal ? tools : offered(run, agent, tools);
}

async function offered(
  run: ActiveRun,
  agent: AnyAgent,
  tools: ToolTable | Promise<ToolTable>,
): Promise<ToolTable> {
  const { context } = run;
  const { scope } = run.config;
  const listed = await scope.race(tools);
  const toolTable = run.toolNames.fit(agent.name, listed) ? listed : await underNames(run, agent, listed);
  if (!toolTable.isGuarded) return toolTable;
  const { offeredTools } = await loadOfferedTools();
  const caller = { context, agent, signal: scope.signal, warn: (text: string) => warn(run, text) };
  return scope.race(offeredTools(toolTable, caller));
}

/** What toolsets list changes: names that calls have had lead to the same tools still. */
async function underNames(run: ActiveRun, { name: agent }: AnyAgent, listed: ToolTable): Promise<ToolTable> {
  const { toolNames: names, config } = run;
  const { keepNames } = await loadKeepNames();
  const isResumed = config.resumed !== undefined;
  return keepNames(listed, { agent, names, isResumed, warn: (text) => warn(run, text) });
}

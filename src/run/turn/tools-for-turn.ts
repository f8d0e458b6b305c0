import type { AnyAgent } from "../../agent/agent.ts";
import { toolsOf } from "../../agent/agent-tools.ts";
import type { ToolTable } from "../../tool/table.ts";
import type { Tool } from "../../tool/types.ts";
import { warn } from "../events/emit.ts";
import { loadCallerTools, loadKeepNames, loadOfferedTools } from "../features.ts";
import type { ActiveRun } from "../state/active-run.ts";

/**
 * The tools that an agent of a run may use as things stand; that which has the lead by default. No promise where they are
 * always the same: most agents have such tools, and every turn needs the list.
 */
export function toolsForTurn(run: ActiveRun, agent: AnyAgent = run.agent): ToolTable | Promise<ToolTable> {
  const tools = toolsNow(run, agent);
  const isFinal = !(tools instanceof Promise) && !tools.isGuarded && run.toolNames.fit(agent.name, tools);
  return isFinal ? tools : offered(run, agent, tools);
}

/** All tools of an agent as things stand, those included that the caller may not use, under the names that calls have had. */
export function listedTools(run: ActiveRun, agent: AnyAgent): Promise<ToolTable> {
  return underNames(run, agent, toolsNow(run, agent));
}

function toolsNow(run: ActiveRun, agent: AnyAgent): ToolTable | Promise<ToolTable> {
  const { messages, hasTruncated } = run.conversation;
  const { toolNames } = run;
  const own = toolsOf(agent, run.context, {
    messages,
    toolNames,
    warn: (text) => warn(run, text),
    hasTruncated,
  });
  const { callerTools } = run.config;
  return callerTools ? withCallers(run, agent, own, callerTools) : own;
}

/** The tools of an agent, and those that the program which started the run executes. The agent's own come first. */
async function withCallers(
  run: ActiveRun,
  agent: AnyAgent,
  own: ToolTable | Promise<ToolTable>,
  tools: readonly Tool[],
): Promise<ToolTable> {
  const { withCallerTools } = await loadCallerTools();
  const { toolTable, leftOut } = withCallerTools(await own, tools);
  for (const name of leftOut)
    warn(run, `The tool "${name}" of the caller is left out: ${agent.name} has its own by that name.`);
  return toolTable;
}

async function offered(
  run: ActiveRun,
  agent: AnyAgent,
  tools: ToolTable | Promise<ToolTable>,
): Promise<ToolTable> {
  const { context } = run;
  const { scope } = run.config;
  const toolTable = await underNames(run, agent, tools);
  if (!toolTable.isGuarded) return toolTable;
  const { offeredTools } = await loadOfferedTools();
  const caller = { context, agent, signal: scope.signal, warn: (text: string) => warn(run, text) };
  return scope.race(offeredTools(toolTable, caller));
}

/** What toolsets list changes: names that calls have had lead to the same tools still. */
async function underNames(
  run: ActiveRun,
  { name: agent }: AnyAgent,
  tools: ToolTable | Promise<ToolTable>,
): Promise<ToolTable> {
  const listed = await run.config.scope.race(tools);
  const { toolNames: names, config, conversation } = run;
  if (!listed.isDynamic && names.fit(agent, listed)) return listed;
  const { keepNames, readNames } = await loadKeepNames();
  readNames(conversation.messages, listed, agent, names);
  if (names.fit(agent, listed)) return listed;
  const isResumed = config.resumed !== undefined;
  return keepNames(listed, { agent, names, isResumed, warn: (text) => warn(run, text) });
}

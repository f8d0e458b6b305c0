import type { AnyAgent } from "../../agent/agent.ts";
import { ConfigurationError } from "../../errors.ts";
import type { ToolTable } from "../../tool/table.ts";
import type { ActiveRun } from "../state/active-run.ts";
import { callingAgent } from "./agents-of-state.ts";

/**
 * Makes sure that the calls which wait for a decision or a result have their tools: a program without them must leave the run to one
 * that has them.
 * @param loadTools - Lists all tools of an agent.
 * @throws ConfigurationError (`tool-missing`)
 */
export async function assertToolsOfWaiting(
  run: ActiveRun,
  loadTools: (agent: AnyAgent) => Promise<ToolTable>,
): Promise<void> {
  const { pending, nested } = run.conversation;
  const approvals = run.config.resumed?.approvals ?? [];
  const ids = new Set([...approvals, ...nested].map(({ toolCallId }) => toolCallId));
  const waiting = pending.filter(({ toolCallId, input }) => ids.has(toolCallId) || input !== undefined);
  if (waiting.length === 0) return;
  const agent = callingAgent(run);
  const toolTable = await loadTools(agent);
  const changed = new Map(approvals.map(({ toolCallId, toolCall }) => [toolCallId, toolCall?.toolName]));
  for (const { toolCallId, toolName } of waiting) {
    const name = changed.get(toolCallId) ?? toolName;
    if (toolTable.has(name)) continue;
    throw new ConfigurationError(
      `The call "${toolCallId}" waits for the tool "${name}" of ${agent.name}, which this program does not have. Its tools are ${toolTable.names.join(", ") || "none"}.`,
      { code: "tool-missing", data: { toolCallId, toolName: name, agent: agent.name } },
    );
  }
}

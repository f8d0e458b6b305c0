import type { AnyAgent } from "../agent/agent.ts";
import { asAgent, reachableAgents } from "../agent/handoff.ts";
import { assertDistinctAgents } from "../agent/namesakes.ts";
import { NameClashError } from "../errors.ts";
import { isDetachedTool, toolAgentOf } from "../tool/agent-like.ts";
import { toolEntries } from "../tool/resolve.ts";

/**
 * Agents, and those that they, or agents within their runs, run on their own (`asTool({ detached: true })`), by their names.
 * @throws NameClashError if one of these has the name of another agent.
 */
export function allAgents(listed: readonly AnyAgent[]): ReadonlyMap<string, AnyAgent> {
  const agents = new Map(listed.map((agent) => [agent.name, agent]));
  const reached = new Set(reachableAgents(listed));
  // A set that grows while it is walked.
  for (const agent of reached)
    for (const { source: tool } of toolEntries(agent.tools)) {
      const inner = toolAgentOf(tool);
      if (!inner) continue;
      const child = asAgent(inner);
      for (const each of reachableAgents([child])) reached.add(each);
      if (!isDetachedTool(tool)) continue;
      const other = agents.get(child.name);
      if (other && other !== child)
        throw new NameClashError(
          `Two agents of runs() are called "${child.name}": ${agent.name} runs another one on its own than the one that is listed. Rename one of them.`,
          { name: child.name },
        );
      // Its run has those that are listed, too.
      assertDistinctAgents(child, listed);
      agents.set(child.name, child);
    }
  return agents;
}

import type { AnyAgent } from "../../agent/agent.ts";
import { handoffsOf, reachableAgents } from "../../agent/handoff.ts";
import { toolEntries } from "../../tool/resolve.ts";
import { slug } from "../../base/util/slug.ts";

/** The first agent on the shortest way from one agent to another, along their handoffs; `undefined` if there is none. */
export function nextOnTheWay(from: AnyAgent, isThere: (agent: AnyAgent) => boolean): AnyAgent | undefined {
  const cameFrom = new Map<AnyAgent, AnyAgent | undefined>([[from, undefined]]);
  for (const [agent, first] of cameFrom) {
    if (agent !== from && isThere(agent)) return first;
    for (const target of handoffsOf(agent)) if (!cameFrom.has(target)) cameFrom.set(target, first ?? target);
  }
  return undefined;
}

/** Whether an agent lists a tool of that name; what its toolsets hold is not known. */
export function lists(agent: AnyAgent, tool: string): boolean {
  return (
    toolEntries(agent.tools).some(({ source }) => source.name === tool || functionName(source) === tool) ||
    handoffsOf(agent).some((target) => handoffTo(target) === tool)
  );
}

/** The tool that hands over to an agent. */
export function handoffTo(agent: AnyAgent): string {
  return `transfer_to_${slug(agent.name)}`;
}

/** Which agent takes the lead if that tool is called. */
export function targetOf(tool: string, from: AnyAgent): AnyAgent | undefined {
  return reachableAgents([from]).find((agent) => handoffTo(agent) === tool);
}

function functionName(source: object): string | undefined {
  return "fn" in source && typeof source.fn === "function" ? source.fn.name : undefined;
}

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

/**
 * How many answers a model takes that makes one call in each: these calls, the handoffs between the agents that list the tools,
 * and to the agent `last`, and a final text.
 */
export function turnsNeeded(from: AnyAgent, tools: readonly string[], last: string | undefined): number {
  let at = from;
  let turns = 1;
  const goTo = (isThere: (agent: AnyAgent) => boolean): void => {
    while (!isThere(at)) {
      const next = nextOnTheWay(at, isThere);
      if (!next) return;
      at = next;
      turns += 1;
    }
  };
  for (const tool of tools) {
    goTo((agent) => lists(agent, tool));
    at = targetOf(tool, at) ?? at;
    turns += 1;
  }
  if (last !== undefined) goTo(({ name }) => name === last);
  return turns;
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

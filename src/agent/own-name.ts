import { NameClashError } from "../errors.ts";
import type { AnyAgent } from "./agent.ts";
import { reachableAgents } from "./handoff.ts";
import { areAlike } from "./namesakes.ts";

/**
 * An agent that a tool's own code has returned, and whose name stands for it in states and sessions.
 * @param teams - Where the name is looked up: in the first of them that has it.
 * @throws NameClashError if it would be found for another agent.
 */
export function assertOwnName(agent: AnyAgent, teams: readonly (readonly AnyAgent[])[]): void {
  for (const team of teams) {
    const matches = reachableAgents(team).filter(({ name }) => name === agent.name);
    if (matches.some((match) => match === agent || areAlike(match, agent))) return;
    if (matches.length === 0) continue;
    throw new NameClashError(
      `Two agents are called "${agent.name}": one that a tool has returned, and another one that the run has. Rename one of the agents: a state is resumed at the agent of its name.`,
      { name: agent.name },
    );
  }
}

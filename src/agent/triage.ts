import { Agent, type AgentOptions, type AnyAgent } from "./agent.ts";
import { handoffsOf } from "./handoff.ts";
import { describeArgument } from "../base/options/known-options.ts";
import { ConfigurationError } from "../errors.ts";

/**
 * An agent that hands over to the given ones, each of which can hand back: they, and all that they hand over to, are there as
 * copies (`with`) with one handoff more. Teams can be nested: the first agent of a smaller one is one of the given agents.
 * @param options what it is made of, where it is not the usual: called "Triage", it finds out who can help. Its `handoffs` come
 * after the given agents, as they are.
 */
export function triage<C = unknown>(
  agents: readonly AnyAgent[],
  options: Partial<AgentOptions<C>> = {},
): Agent<C> {
  if (!Array.isArray(agents))
    throw new ConfigurationError(
      `The first argument of triage() must be a list of agents, not ${describeArgument(agents)}.`,
      { code: "invalid-agent" },
    );
  const copies = new Map<AnyAgent, AnyAgent>();
  const inTeam = (agent: AnyAgent): AnyAgent => {
    const copy =
      copies.get(agent) ?? agent.with({ handoffs: () => [...handoffsOf(agent).map(inTeam), first] });
    copies.set(agent, copy);
    return copy;
  };
  const { handoffs = [] } = options;
  const first: Agent<C> = new Agent<C>({
    name: "Triage",
    description: "Finds the right colleague for anything else.",
    instructions: "Find out what the user needs, and hand over to the agent that can help.",
    ...options,
    handoffs: () => [...agents.map(inTeam), ...(typeof handoffs === "function" ? handoffs() : handoffs)],
  });
  return first;
}

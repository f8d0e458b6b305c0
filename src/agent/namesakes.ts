import { NameClashError } from "../errors.ts";
import { isAgent } from "../tool/agent-like.ts";
import { sameLists } from "../base/util/same-lists.ts";
import type { AnyAgent } from "./agent.ts";
import { handoffsOf, isCompleteAgent } from "./handoff.ts";

/**
 * The agent of that name, where a wrong one would go on with the work of another.
 * @throws NameClashError if different agents have the name.
 */
export function findOnlyAgent(name: string, roots: readonly AnyAgent[]): AnyAgent | undefined {
  const places = placesOf(roots, handoffsOf);
  const matches = new Map([...places].filter(([agent]) => agent.name === name));
  assertOwnNames(matches);
  const [first] = matches.keys();
  return first;
}

/** The agents whose teams have been checked: agents are immutable. */
const checked = new WeakSet<AnyAgent>();

/**
 * States and sessions find an agent by its name. What only a function lists is not checked here: it is called when it is needed.
 * @throws NameClashError if different agents of a team have the same name.
 */
export function assertDistinctAgents(agent: AnyAgent, others: readonly AnyAgent[]): void {
  if (others.length === 0 && checked.has(agent)) return;
  assertOwnNames(placesOf([agent, ...others], listedHandoffs));
  checked.add(agent);
}

/** Only what is complete has handoffs to read; what is wrong with the others is reported by the run that reaches them. */
function listedHandoffs(agent: AnyAgent): readonly AnyAgent[] {
  return isCompleteAgent(agent) && typeof agent.handoffs !== "function" ? agent.handoffs.filter(isAgent) : [];
}

/** The given agents and all that they lead to, each with the place where it is listed. */
function placesOf(
  roots: readonly AnyAgent[],
  targetsOf: (agent: AnyAgent) => readonly AnyAgent[],
): ReadonlyMap<AnyAgent, string> {
  const places = new Map(
    roots.map((agent, index) => [
      agent,
      index === 0 ? "the agent of the run" : `options.agents[${index - 1}]`,
    ]),
  );
  // A map that grows while it is walked: each agent is visited once, cycles included.
  for (const agent of places.keys())
    for (const [index, target] of targetsOf(agent).entries())
      if (!places.has(target)) places.set(target, `handoffs[${index}] of the agent ${agent.name}`);
  return places;
}

function assertOwnNames(places: ReadonlyMap<AnyAgent, string>): void {
  const agents = new Map<string, AnyAgent>();
  for (const [agent, place] of places) {
    const other = agents.get(agent.name);
    agents.set(agent.name, other ?? agent);
    if (other === undefined || areAlike(other, agent)) continue;
    const first = places.get(other) ?? "";
    throw new NameClashError(
      `Two agents are called "${agent.name}": ${first} and ${place}. Rename one of the agents: a state is resumed at the agent of its name.`,
      { name: agent.name, places: [first, place] },
    );
  }
}

/** Copies of an agent (`with`) that have its tools stand for it, and so does one that the same code has made once more. */
export function areAlike(one: AnyAgent, other: AnyAgent): boolean {
  if (one.tools === other.tools) return true;
  if (one.instructions !== other.instructions) return false;
  return sameLists(Object.entries(one.tools).flat(), Object.entries(other.tools).flat());
}

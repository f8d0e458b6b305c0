import { immediate } from "../base/util/callbacks.ts";
import { invalidOption } from "../base/options/known-options.ts";
import { ConfigurationError } from "../errors.ts";
import { compileSchema } from "../schema/compile-schema.ts";
import { isAgent, type AgentLike } from "../tool/agent-like.ts";
import type { ToolEntry } from "../tool/resolve.ts";
import { nameClash } from "../tool/table.ts";
import type { Tool } from "../tool/types.ts";
import { slug } from "../base/util/slug.ts";
import { Agent, type AnyAgent } from "./agent.ts";

/** Open on purpose: models like to add a reason, and nothing is lost by it. */
const anyArguments = compileSchema({ type: "object", properties: {} });

/** The agents that `agent` can hand the lead to. */
export function handoffsOf(agent: AnyAgent): readonly AnyAgent[] {
  const { handoffs } = agent;
  const agents =
    typeof handoffs === "function"
      ? immediate(handoffs(), () =>
          invalidOption(`handoffs of the agent ${agent.name} must return a list, not a promise.`, {
            option: "handoffs",
          }),
        )
      : handoffs;
  for (const [index, target] of agents.entries()) {
    if (isAgent(target)) continue;
    throw new ConfigurationError(
      `handoffs[${index}] of the agent ${agent.name} is ${target === undefined ? "undefined" : "no agent"}. Where agents refer to each other, give a function: handoffs: () => [triage].`,
      { code: "invalid-agent", data: { agent: agent.name, index } },
    );
  }
  return agents;
}

/**
 * The tools `transfer_to_<name>` of an agent.
 * @throws NameClashError for two agents whose tools have the same name.
 */
export function handoffEntries(agent: AnyAgent): readonly ToolEntry[] {
  const places = new Map<string, string>();
  return handoffsOf(agent).map((target, index) => {
    const source = handoffTool(target);
    const place = `handoffs[${index}] (the agent ${target.name})`;
    const other = places.get(source.name);
    if (other !== undefined) throw nameClash(source.name, other, place, "Rename one of the agents.");
    places.set(source.name, place);
    return { source, place };
  });
}

/** An agent of that name, looked for from `roots` along their handoffs. */
export function findAgent(name: string, roots: readonly AnyAgent[]): AnyAgent | undefined {
  return reachableAgents(roots).find((agent) => agent.name === name);
}

/** The given agents and all that they can hand over to, directly or not. */
export function reachableAgents(roots: readonly AnyAgent[]): readonly AnyAgent[] {
  const reached = new Set(roots);
  // A set that grows while it is walked: each agent is visited once, cycles included.
  for (const agent of reached) for (const target of handoffsOf(agent)) reached.add(target);
  return [...reached];
}

/**
 * What came out of a tool, as the class. Runners that load modules as CommonJS load another copy of the package for what it
 * imports when it is needed: an agent of another copy is an agent.
 * @throws ConfigurationError for what only looks like an agent.
 */
export function asAgent(value: AgentLike): Agent {
  if (isCompleteAgent(value)) return value;
  throw new ConfigurationError(
    `The agent ${value.name} was made by another version of skein. Install one version: npm dedupe.`,
    { code: "invalid-agent" },
  );
}

/** Whether it is an agent of this copy of the package, or has what runs read of one. */
export function isCompleteAgent(value: unknown): value is Agent {
  if (value instanceof Agent) return true;
  if (!isAgent(value)) return false;
  const { tools, handoffs, asTool }: Partial<Agent> = value;
  const hasHandoffs = typeof handoffs === "function" || Array.isArray(handoffs);
  return typeof tools === "object" && hasHandoffs && typeof asTool === "function";
}

/** The tools of handoffs that agents list. */
const handoffTools = new WeakSet<Tool>();

/** Whether a tool hands off to an agent that another one lists. */
export function isHandoffTool(tool: Tool | undefined): boolean {
  return tool !== undefined && handoffTools.has(tool);
}

function handoffTool(target: AnyAgent): Tool {
  const purpose = target.description === undefined ? "" : ` ${target.description}`;
  const tool: Tool = {
    name: `transfer_to_${slug(target.name)}`,
    description: `Hands the conversation over to ${target.name}.${purpose}`,
    inputSchema: anyArguments,
    annotations: {},
    policy: {},
    execute: () => target,
  };
  handoffTools.add(tool);
  return tool;
}

import type { AnyAgent } from "../../agent/agent.ts";
import { reachableAgents } from "../../agent/handoff.ts";
import { findOnlyAgent } from "../../agent/namesakes.ts";
import { AgentNotFoundError } from "../../errors.ts";
import { callerOf } from "../../message/unanswered-calls.ts";
import type { ActiveRun } from "../state/active-run.ts";
import type { RunConfig } from "../state/run-config.ts";

/** Where an agent is looked for by its name. */
type AgentRoots = Pick<RunConfig, "roots" | "outerRoots">;

/** @throws AgentNotFoundError; NameClashError if different agents have the name. */
export function agentOfState(name: string, config: AgentRoots, what = "The state is at"): AnyAgent {
  const match = findByName(name, config);
  if (match) return match;
  const { roots, outerRoots } = config;
  const names = reachableAgents([...roots, ...outerRoots]).map((agent) => agent.name);
  throw new AgentNotFoundError(
    `${what} the agent "${name}", which is not one of ${names.join(", ")}. Pass it in options.agents.`,
    // oxlint-disable-next-line id-denylist -- the name is public: programs read it from the error's data
    { agent: name, known: names },
  );
}

function findByName(name: string, { roots, outerRoots }: AgentRoots): AnyAgent | undefined {
  return findOnlyAgent(name, roots) ?? findOnlyAgent(name, outerRoots);
}

/**
 * The agent whose calls are pending: another one may be active since.
 * @throws AgentNotFoundError where the tools of another agent would execute them; NameClashError if different agents have its name.
 */
export function callingAgent({ agent, conversation, config }: ActiveRun): AnyAgent {
  const name = callerOf(conversation.messages);
  if (name === undefined || name === agent.name) return agent;
  if (conversation.pending.length === 0) return findByName(name, config) ?? agent;
  return agentOfState(name, config, "The open calls are of");
}

/** The agent whose calls are pending; `undefined` if it cannot be found. */
export function findCallingAgent({ agent, conversation, config }: ActiveRun): AnyAgent | undefined {
  const name = callerOf(conversation.messages);
  return name === undefined || name === agent.name ? agent : findByName(name, config);
}

/**
 * Has a run go on with the agent at which that stands which it resumes.
 * @throws AgentNotFoundError if that cannot be found, or the agent that made the calls which are to be executed; NameClashError; and
 * whatever a `handoffs` function throws.
 */
export function takeLead(run: ActiveRun): void {
  const { resumed } = run.config;
  if (resumed) run.activate(agentOfState(resumed.agent, run.config));
  assertCaller(run);
}

function assertCaller(run: ActiveRun): void {
  const results = new Set(run.config.options.results?.map(({ toolCallId }) => toolCallId));
  if (run.conversation.pending.some(({ toolCallId }) => !results.has(toolCallId))) callingAgent(run);
}

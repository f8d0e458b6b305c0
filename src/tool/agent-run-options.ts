import { assertAtLeast } from "../base/options/at-least.ts";
import { assertKnownOptions, describeValue, invalidOption } from "../base/options/known-options.ts";
import type { CostLimit } from "../model/model-call.ts";

/**
 * Limits of an agent that a tool runs, in addition to those of the run around it. The call fails once one is reached; the model
 * reads which, and the text so far.
 */
export interface AgentRunOptions {
  /** The most model calls; by default as many as the run around it may make. */
  readonly maxTurns?: number;
  /** The most tokens of the agent, and of agents it runs as tools. */
  readonly maxTokens?: number;
  /** The most money: `dollars(0.05)` of `skein/models`. */
  readonly maxCost?: CostLimit;
  /** How long the agent may take, in milliseconds. */
  readonly timeout?: number;
  /** With `false`, listeners of the run around it get no `agent-event`. */
  readonly events?: boolean;
}

/** The names of the options, for checks. */
export const agentRunOptionNames: Readonly<Record<keyof AgentRunOptions, true>> = {
  maxTurns: true,
  maxTokens: true,
  maxCost: true,
  timeout: true,
  events: true,
};

/**
 * @param place - What has the options, such as `agent.asTool({ ... })`.
 * @throws ConfigurationError (`invalid-option`) for the first invalid option.
 */
export function assertAgentRunOptions(
  options: AgentRunOptions,
  place: string,
  names: Readonly<Record<string, true>> = agentRunOptionNames,
): void {
  assertKnownOptions(options, names, place);
  assertAtLeast("maxTurns", options.maxTurns, 0);
  assertAtLeast("maxTokens", options.maxTokens, 0);
  assertAtLeast("timeout", options.timeout, 0);
  const events: unknown = options.events;
  if (events !== undefined && typeof events !== "boolean")
    throw invalidOption(`events of ${place} must be true or false, not ${describeValue(events)}.`, {
      option: "events",
    });
}

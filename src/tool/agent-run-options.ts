import { assertAtLeast, assertCount } from "../base/options/at-least.ts";
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
  /** The most calls of tools, those by other tools and by agents within it included. They count for the run around it as well. */
  readonly maxToolCalls?: number;
  /** How long the agent may take, in milliseconds. */
  readonly timeout?: number;
  /** With `false`, listeners of the run around it get no `agent-event`. */
  readonly events?: boolean;
  /**
   * In a durable run, the agent is a durable run of its own, which any worker executes, and no process waits for it: its own limits are
   * the `runOptions` of the workers. Elsewhere it changes nothing. It stands alone.
   */
  readonly detached?: boolean;
}

/** The names of the options, for checks. */
export const agentRunOptionNames: Readonly<Record<keyof AgentRunOptions, true>> = {
  maxTurns: true,
  maxTokens: true,
  maxCost: true,
  maxToolCalls: true,
  timeout: true,
  events: true,
  detached: true,
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
  assertCount("maxTurns", options.maxTurns, 0);
  assertAtLeast("maxTokens", options.maxTokens, 0);
  assertCount("maxToolCalls", options.maxToolCalls, 0);
  assertAtLeast("timeout", options.timeout, 0);
  for (const name of ["events", "detached"] as const) {
    const value: unknown = options[name];
    if (value !== undefined && typeof value !== "boolean")
      throw invalidOption(`${name} of ${place} must be true or false, not ${describeValue(value)}.`, {
        option: name,
      });
  }
  const limit = options.detached ? limitNames.find((name) => options[name] !== undefined) : undefined;
  if (limit !== undefined)
    throw invalidOption(
      `${place} has both detached and ${limit}. An agent that is a durable run of its own has the limits that runs({ runOptions }) sets: leave ${limit} out.`,
      { option: limit },
    );
}

const limitNames = ["maxTurns", "maxTokens", "maxCost", "maxToolCalls", "timeout", "events"] as const;

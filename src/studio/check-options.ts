import { isCompleteAgent } from "../agent/handoff.ts";
import { assertAtLeast } from "../base/options/at-least.ts";
import { assertKnownOptions, describeValue, invalidOption } from "../base/options/known-options.ts";
import { ConfigurationError } from "../errors.ts";
import type { StudioOptions } from "./types.ts";

const optionNames = {
  agents: true,
  port: true,
  keepRuns: true,
  keepBytes: true,
  runOptions: true,
  allowProduction: true,
} satisfies Record<keyof StudioOptions, true>;

/**
 * @param hasOtherRuns - Whether there is something to look at without agents.
 * @throws ConfigurationError (`invalid-option`, `production`)
 */
export function checkStudioOptions(options: StudioOptions, hasOtherRuns: boolean): void {
  assertKnownOptions(options, optionNames, "studio()");
  if (!hasOtherRuns || options.agents.length > 0) assertAgents(options.agents);
  assertAtLeast("keepRuns", options.keepRuns, 1);
  assertAtLeast("keepBytes", options.keepBytes, 0);
  assertDevelopment(options.allowProduction === true, "studio()", "allowProduction: true");
}

/**
 * Refuses to show what agents do where a program serves its users.
 * @param remedy - What allows it.
 * @throws ConfigurationError (`production`)
 */
export function assertDevelopment(isAllowed: boolean, place: string, remedy: string): void {
  if (process.env["NODE_ENV"] !== "production" || isAllowed) return;
  throw new ConfigurationError(
    `${place} is for development, and NODE_ENV is production: its page may run the agents, and shows all that they do. If you mean it, set ${remedy}.`,
    { code: "production" },
  );
}

/** @throws ConfigurationError (`invalid-option`) */
export function assertAgents(agents: StudioOptions["agents"]): void {
  if (!Array.isArray(agents) || agents.length === 0)
    throw invalidOption("studio() needs agents: studio({ agents: [triage] }).", { option: "agents" });
  for (const [index, agent] of agents.entries())
    if (!isCompleteAgent(agent))
      throw invalidOption(`agents[${index}] of studio() must be an agent, not ${describeValue(agent)}.`, {
        option: "agents",
      });
}

import type { ToolPolicy } from "../../tool/policy.ts";
import type { Tool } from "../../tool/types.ts";
import { cancelledBeforeStart } from "../refusal.ts";
import type { Perform, Policy } from "../types.ts";
import { withinLimits } from "../within-limits.ts";
import { approval, withInputAsBegun } from "./approval.ts";
import { cache } from "./cache.ts";
import { concurrency } from "./concurrency.ts";
import { final } from "./final.ts";
import { interrupted } from "./interrupted.ts";
import { mask } from "./mask.ts";
import { maxResultChars } from "./max-result-chars.ts";
import { rateLimit } from "./rate-limit.ts";
import { requires } from "./requires.ts";
import { retries } from "./retries.ts";
import { serialize } from "./serialize.ts";
import { validateOutput } from "./validate-output.ts";

export { forgetResults } from "./cache.ts";

/** Options that act elsewhere: on the choice of tools, on the request's schema, on the function itself. */
type OptionsElsewhere = "allow" | "callers" | "strict" | "timeout";

/**
 * Where a policy stands: in front of a call, also of one that is done elsewhere; around a result, also one that comes from elsewhere; or
 * around the execution of a tool, of which there is none elsewhere.
 */
type Place = "call" | "result" | "execution";

/** The policies in the order in which a call passes them, each under the option that asks for it. */
const policies: Readonly<
  Record<
    Exclude<keyof ToolPolicy, OptionsElsewhere>,
    { readonly place: Place; readonly policy: Policy; readonly isForAll?: true }
  >
> = {
  requires: { place: "call", policy: requires },
  // Who does a call elsewhere decides on it.
  approval: { place: "execution", policy: approval },
  interrupted: { place: "execution", policy: interrupted },
  maxResultChars: { place: "result", policy: maxResultChars },
  final: { place: "result", policy: final },
  mask: { place: "result", policy: mask },
  cache: { place: "execution", policy: cache },
  validateOutput: { place: "result", policy: validateOutput },
  // The run has a limit of its own, for the calls of all tools.
  maxCalls: { place: "execution", policy: withinLimits, isForAll: true },
  serialize: { place: "execution", policy: serialize },
  concurrency: { place: "execution", policy: concurrency },
  rateLimit: { place: "execution", policy: rateLimit },
  retries: { place: "execution", policy: retries },
};

const performers = new WeakMap<Tool, Perform>();

/** What performs a tool's calls: `perform` within all policies that the tool asks for. */
export function withPolicies(tool: Tool, perform: Perform): Perform {
  const cached = performers.get(tool);
  if (cached) return cached;
  // A function of a policy may have cancelled the run.
  const performUnlessCancelled: Perform = async (ready) =>
    ready.scope.signal?.aborted ? cancelledBeforeStart(ready.call, ready.scope) : perform(ready);
  const within = withinPolicies(tool, performUnlessCancelled, ["call", "result", "execution"]);
  const asks = isWanted(tool, "approval") || tool.policy.interrupted === "ask";
  const performer = asks ? within : withInputAsBegun(within);
  performers.set(tool, performer);
  return performer;
}

/** `perform` within the policies of a tool that stand in one of these places. */
export function withinPolicies(tool: Tool, perform: Perform, places: readonly Place[]): Perform {
  return Object.entries(policies)
    .filter(([option, { place, isForAll }]) => places.includes(place) && (isForAll ?? isWanted(tool, option)))
    .reduceRight((next, [, { policy }]) => policy(next, tool), perform);
}

function isWanted({ policy }: Tool, option: string): boolean {
  const options = new Map<string, unknown>(Object.entries(policy));
  return (options.get(option) ?? false) !== false;
}

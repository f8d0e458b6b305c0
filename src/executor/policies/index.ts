import type { ToolPolicy } from "../../tool/policy.ts";
import type { Tool } from "../../tool/types.ts";
import { cancelledBeforeStart } from "../refusal.ts";
import type { Perform, Policy } from "../types.ts";
import { approval, withInputAsBegun } from "./approval.ts";
import { cache } from "./cache.ts";
import { concurrency } from "./concurrency.ts";
import { final } from "./final.ts";
import { mask } from "./mask.ts";
import { maxResultChars } from "./max-result-chars.ts";
import { rateLimit } from "./rate-limit.ts";
import { requires } from "./requires.ts";
import { retries } from "./retries.ts";
import { serialize } from "./serialize.ts";
import { validateOutput } from "./validate-output.ts";

export { forgetResults } from "./cache.ts";

/** Options that act elsewhere: on the choice of tools, on the request's schema, on the function itself. */
type OptionsElsewhere = "allow" | "strict" | "timeout";

/** The policies in the order in which a call passes them, each under the option that asks for it. */
const policies: Readonly<Record<Exclude<keyof ToolPolicy, OptionsElsewhere>, Policy>> = {
  requires,
  approval,
  final,
  maxResultChars,
  mask,
  cache,
  validateOutput,
  serialize,
  concurrency,
  rateLimit,
  retries,
};

const performers = new WeakMap<Tool, Perform>();

/** What performs a tool's calls: `perform` within all policies that the tool asks for. */
export function withPolicies(tool: Tool, perform: Perform): Perform {
  const cached = performers.get(tool);
  if (cached) return cached;
  const options = new Map<string, unknown>(Object.entries(tool.policy));
  const isWanted = (option: string): boolean => (options.get(option) ?? false) !== false;
  // A function of a policy may have cancelled the run.
  const performUnlessCancelled: Perform = async (ready) =>
    ready.scope.signal?.aborted ? cancelledBeforeStart(ready.call, ready.scope) : perform(ready);
  const wanted = Object.entries(policies).filter(([option]) => isWanted(option));
  const within = wanted.reduceRight((next, [, policy]) => policy(next, tool), performUnlessCancelled);
  const performer = isWanted("approval") ? within : withInputAsBegun(within);
  performers.set(tool, performer);
  return performer;
}

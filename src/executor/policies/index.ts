import type { ToolPolicy } from "../../tool/policy.ts";
import type { Tool } from "../../tool/types.ts";
import type { Perform, Policy } from "../types.ts";
import { approval } from "./approval.ts";
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

/** The policies in the order in which a call passes them, each under the option that asks for it. */
const policies: readonly (readonly [keyof ToolPolicy, Policy])[] = [
  ["requires", requires],
  ["approval", approval],
  ["final", final],
  ["maxResultChars", maxResultChars],
  ["mask", mask],
  ["cache", cache],
  ["validateOutput", validateOutput],
  ["serialize", serialize],
  ["concurrency", concurrency],
  ["rateLimit", rateLimit],
  ["retries", retries],
];

const known = new WeakMap<Tool, Perform>();

/** What performs a tool's calls: `perform` within all policies that the tool asks for. */
export function withPolicies(tool: Tool, perform: Perform): Perform {
  const made = known.get(tool);
  if (made) return made;
  const wanted = policies.filter(
    ([option]) => tool.policy[option] !== undefined && tool.policy[option] !== false,
  );
  const policed = wanted.reduceRight((next, [, policy]) => policy(next, tool), perform);
  known.set(tool, policed);
  return policed;
}

import { originOf } from "../../tool/derived-policy.ts";
import { memoize } from "../../base/util/memoize.ts";
import type { ToolPolicy } from "../../tool/policy.ts";
import type { Tool } from "../../tool/types.ts";

/**
 * What all agents and runs that list a tool, wrapped or not, share for one option of its policy, made by `create` when it is
 * first asked for.
 */
export function sharedBy<T>(
  option: keyof ToolPolicy,
  create: (policy: ToolPolicy<never, never>) => T,
): (tool: Pick<Tool, "policy">) => T {
  const shared = memoize(create);
  return ({ policy }) => shared(originOf(policy, option));
}

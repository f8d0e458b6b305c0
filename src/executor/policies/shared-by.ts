import type { ToolPolicy } from "../../tool/policy.ts";
import type { Tool } from "../../tool/types.ts";

/** What all agents and runs that list a tool share of one policy, made by `create` when it is first asked for. */
export function sharedBy<T>(create: (policy: ToolPolicy) => T): (tool: Pick<Tool, "policy">) => T {
  const shared = new WeakMap<ToolPolicy, T>();
  return ({ policy }) => {
    const made = shared.get(policy);
    if (made !== undefined) return made;
    const value = create(policy);
    shared.set(policy, value);
    return value;
  };
}

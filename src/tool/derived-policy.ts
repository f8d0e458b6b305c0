import type { ToolPolicy } from "./policy.ts";

const bases = new WeakMap<ToolPolicy, ToolPolicy>();

/** A policy with some options changed: what it has from `base` is one with it, the places of its queues and its results. */
export function derivePolicy(base: ToolPolicy, changes: ToolPolicy): ToolPolicy {
  const derived = { ...base, ...changes };
  bases.set(derived, base);
  return derived;
}

/** The policy that an option of `policy` comes from: itself, or the one that it has the option from. */
export function originOf(policy: ToolPolicy, option: keyof ToolPolicy): ToolPolicy {
  let origin = policy;
  for (let base; (base = bases.get(origin)) && base[option] === policy[option];) origin = base;
  return origin;
}

import type { ToolPolicy } from "./policy.ts";

const bases = new WeakMap<ToolPolicy<never, never>, ToolPolicy<never, never>>();

/** Policies whose approval no wrapper replaces. */
const demanding = new WeakSet<ToolPolicy<never, never>>();

/** Has every call wait for a person, under this policy and under all that are derived from it. */
export function demandApproval(policy: ToolPolicy<never, never>): ToolPolicy<never, never> {
  const demand = { ...policy, approval: true };
  demanding.add(demand);
  return demand;
}

/**
 * A policy with some options changed: what it has from `base` is one with it, the places of its queues and its results. A demand
 * for approval stays.
 */
export function derivePolicy(
  base: ToolPolicy<never, never>,
  changes: ToolPolicy<never, never>,
): ToolPolicy<never, never> {
  const isDemanding = demanding.has(base);
  const derived = { ...base, ...changes, ...(isDemanding && { approval: true }) };
  if (isDemanding) demanding.add(derived);
  bases.set(derived, base);
  return derived;
}

/** The policy that an option of `policy` comes from: itself, or the one that it has the option from. */
export function originOf(
  policy: ToolPolicy<never, never>,
  option: keyof ToolPolicy,
): ToolPolicy<never, never> {
  let origin = policy;
  for (let base; (base = bases.get(origin)) && base[option] === policy[option];) origin = base;
  return origin;
}

import type { ToolPolicy } from "./policy.ts";

const bases = new WeakMap<ToolPolicy<never, never>, ToolPolicy<never, never>>();

/** An approval that no wrapper replaces: every call waits for a person. */
export const demandedApproval = (): boolean => true;

/**
 * A policy with some options changed: what it has from `base` is one with it, the places of its queues and its results. A demand
 * for approval stays.
 */
export function derivePolicy(
  base: ToolPolicy<never, never>,
  changes: ToolPolicy<never, never>,
): ToolPolicy<never, never> {
  const { approval } = base;
  const derived = { ...base, ...changes, ...(approval === demandedApproval && { approval }) };
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

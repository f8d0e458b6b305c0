import type { ParameterPlan } from "../../schema/function-schema.ts";

/** A parameter that has another name than the one which a description has at its place. */
export interface OtherName {
  readonly name: string;
  /** The name in the description. */
  readonly expected: string;
  /** Whether the description has the name at another place: an argument would certainly reach the wrong parameter. */
  readonly isMoved: boolean;
}

/**
 * The parameters of a function that a description has under other names. What takes the rest as a list passes it on, as decorators
 * do, and what is taken apart or left out changes nothing.
 * @param names - The function's parameters, as `FunctionShape` writes them, without those that `bind` has filled.
 */
export function findOtherNames(
  plans: readonly ParameterPlan[],
  names: readonly string[],
): readonly OtherName[] {
  const restAt = names.findIndex((name) => name.startsWith("..."));
  const positional = restAt < 0 ? names : names.slice(0, restAt);
  const others = positional.flatMap((name, index) => {
    const plan = plans[index];
    return plan === undefined ? [] : differing(plans, plan, name);
  });
  const rest = names[restAt];
  const restPlan = plans[restAt];
  // A rest that is taken apart at once has a name for each place.
  const isApart = rest !== undefined && /^\.\.\.[[{]/.test(rest);
  if (!isApart || restPlan === undefined || !("name" in restPlan)) return others;
  return [...others, { name: rest.slice("...".length), expected: restPlan.name, isMoved: false }];
}

function differing(plans: readonly ParameterPlan[], plan: ParameterPlan, name: string): readonly OtherName[] {
  const own = plainName(name);
  if (!("name" in plan) || own === "" || /^[[{]/.test(own)) return [];
  const expected = plan.name;
  if (plan.kind !== "rest" && isSameName(plainName(expected), own)) return [];
  const isMoved = plans.some((each) => "name" in each && each !== plan && plainName(each.name) === own);
  return [{ name, expected, isMoved }];
}

/** esbuild adds a number to a name that is taken elsewhere in the module. */
function isSameName(expected: string, name: string): boolean {
  return name === expected || (name.startsWith(expected) && /^\d+$/.test(name.slice(expected.length)));
}

/** A name without the underscore of parameters that are not used. */
function plainName(name: string): string {
  return name.replace(/^_+/, "");
}

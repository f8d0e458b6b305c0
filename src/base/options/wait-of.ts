import { immediate } from "../util/callbacks.ts";
import { describeValue } from "./known-options.ts";

/** The longest time that timers measure, in milliseconds. */
const longestTimer = 2_147_483_647;

/**
 * The wait that a function of the program returned: milliseconds, or `undefined` for none.
 * @param refuse - Makes the error for anything else, which a timer would take for no time at all, by what was returned.
 */
export function waitOf(returned: unknown, refuse: (received: string) => Error): number | undefined {
  const wait = immediate(returned, () => refuse("a promise"));
  if (wait === undefined) return undefined;
  if (typeof wait === "number" && wait >= 0 && wait <= longestTimer) return wait;
  throw refuse(describeValue(wait));
}

import type { SettledCall } from "./types.ts";

/** Whether a tool returned what its result does not have, masked or too long: nothing for a state, so the call of a tool is made again. */
export function hasUnkeptValue({ value, cut }: Pick<SettledCall, "value" | "cut">): boolean {
  return value !== undefined || cut !== undefined;
}

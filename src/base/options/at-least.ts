import { describeValue, invalidOption } from "./known-options.ts";

/** @throws ConfigurationError (`invalid-option`) unless the option is left out, or a number of at least `least`. */
export function assertAtLeast(option: string, value: unknown, least: number): void {
  if (value === undefined || (typeof value === "number" && value >= least)) return;
  throw invalidOption(`${option} must be a number of at least ${least}, not ${describeValue(value)}.`, {
    option,
  });
}

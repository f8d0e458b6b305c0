import { describeValue, invalidOption } from "./known-options.ts";

/** @throws ConfigurationError (`invalid-option`) unless the option is left out, or a number of at least `least`. */
export function assertAtLeast(option: string, value: unknown, least: number): void {
  if (value === undefined || (typeof value === "number" && value >= least)) return;
  throw invalidOption(`${option} must be a number of at least ${least}, not ${describeValue(value)}.`, {
    option,
  });
}

/** @throws ConfigurationError (`invalid-option`) unless the option is left out, `Infinity` or a whole number of at least `least`. */
export function assertCount(option: string, value: unknown, least: number): void {
  assertAtLeast(option, value, least);
  if (value === undefined || value === Infinity || Number.isInteger(value)) return;
  throw invalidOption(`${option} must be a whole number, or Infinity, not ${describeValue(value)}.`, {
    option,
  });
}

import { describeValue, invalidOption } from "./known-options.ts";

/**
 * @param place whose option it is, such as `retry()`.
 * @param example what to write.
 * @throws ConfigurationError (`invalid-option`) unless the option is left out, or a function.
 */
export function assertFunction(option: string, value: unknown, place: string, example: string): void {
  if (value === undefined || typeof value === "function") return;
  throw invalidOption(
    `${option} of ${place} must be a function, not ${describeValue(value)}. Write ${example}.`,
    { option },
  );
}

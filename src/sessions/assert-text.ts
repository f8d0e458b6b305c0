import { ConfigurationError } from "../errors.ts";

/**
 * @param example a call with all its arguments.
 * @throws ConfigurationError (`invalid-option`) unless an argument is a text.
 */
export function assertText(value: unknown, argument: string, example: string): void {
  if (typeof value === "string" && value !== "") return;
  const callee = example.slice(0, example.indexOf("("));
  throw new ConfigurationError(`The ${argument} of ${callee}() is missing. Write ${example}.`, {
    code: "invalid-option",
    data: { option: argument },
  });
}

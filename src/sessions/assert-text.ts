import { ConfigurationError } from "../errors.ts";

/**
 * @param example a call with all its arguments.
 * @throws ConfigurationError (`invalid-option`) unless an argument is a text of whole characters: stores write each half of a character
 * as the same replacement, so that two users would share one conversation.
 */
export function assertText(value: unknown, argument: string, example: string): void {
  const isText = typeof value === "string" && value !== "";
  if (isText && value.isWellFormed()) return;
  const callee = example.slice(0, example.indexOf("("));
  const problem = isText
    ? `has half of a character: ${JSON.stringify(value)}. Pass it whole, or encode it first`
    : `is missing. Write ${example}`;
  throw new ConfigurationError(`The ${argument} of ${callee}() ${problem}.`, {
    code: "invalid-option",
    data: { option: argument },
  });
}

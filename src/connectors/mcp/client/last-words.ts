import type { Ending } from "./stdio-transport.ts";
import type { McpClientOptions } from "./types.ts";

/** Values shorter than this are not secrets, and occur in too many words. */
const shortestSecret = 6;

/** How a program ended and what it said last, without the values of its environment. Empty where there is nothing to say. */
export function lastWords({ how, stderr }: Ending, options: McpClientOptions, limit = 4_096): string {
  const secrets = "command" in options ? Object.values(options.env ?? {}) : [];
  const words = secrets
    .filter((value) => value.length >= shortestSecret)
    .reduce((text, secret) => text.replaceAll(secret, "***"), stderr)
    .trim()
    .slice(-limit);
  const end = how === undefined ? "" : ` It ${how}.`;
  return words === "" ? end : `${end} The last it said:\n${words}`;
}

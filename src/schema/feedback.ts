import { nearest } from "../util/nearest.ts";
import { formatPath } from "./format-path.ts";
import type { Issue } from "./types.ts";
import { alternatives, preview } from "./words.ts";

/** About how long a correction may be, in characters: a model mends a few things at a time. */
const maxLength = 4_000;

/** The longest single line of it. */
const maxLine = 600;

/**
 * What a model gets back for arguments that cannot be used: each place, what was expected there and what was received.
 * `raw` is what it sent. About 4,000 characters at most.
 */
export function invalidArgumentsMessage(toolName: string, issues: readonly Issue[], raw: string): string {
  const lines = issues.map((issue) => line(issue));
  if (!issues.some((issue) => issue.received !== undefined))
    lines.push(`You sent: ${cut(raw.trim(), 80) || "nothing"}`);
  return [
    `${cut(toolName, 80)} was not called, because its arguments are wrong:`,
    ...within(lines, maxLength - 200),
    "Call the tool again with corrected arguments.",
  ].join("\n");
}

/**
 * What a model gets back for calling a tool that there is not: the names most like it, and what there is.
 * About 4,000 characters at most.
 */
export function unknownToolMessage(
  name: string,
  available: readonly string[],
  near: readonly string[] = nearest(name, available),
): string {
  const wrong = `There is no tool named ${preview(name)}.`;
  if (available.length === 0) return `${wrong} There are no tools: answer without one.`;
  const quote = (text: string): string => preview(text, 100);
  const hint = near.length === 0 ? "" : ` Did you mean ${alternatives(near.map(quote))}?`;
  const others = `The tools are: ${cut(available.map(quote).join(", "), maxLength - 1_000)}.`;
  return `${wrong}${hint} ${others} Call one of them, or answer without a tool.`;
}

function line({ path, message, expected, received }: Issue): string {
  const place = path.length === 0 ? "the arguments" : formatPath(path);
  const wish = expected === undefined || message.includes(expected) ? "" : ` (expected ${expected})`;
  const shown = received === undefined ? "" : preview(received);
  const value = shown === "" || message.includes(shown) ? "" : `: ${shown}`;
  return `- ${cut(place, 200)}: ${cut(message + wish, maxLine)}${value}`;
}

/** The lines that fit into `room` characters, and how many were left out. */
function within(lines: readonly string[], room: number): string[] {
  let left = room;
  const kept = lines.filter((text) => (left -= text.length + 1) >= 0);
  const omitted = lines.length - kept.length;
  return omitted === 0 ? kept : [...kept, `- and ${omitted} more`];
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}…`;
}

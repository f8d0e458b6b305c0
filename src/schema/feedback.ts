import { closest } from "../base/util/closest.ts";
import { annotate } from "./annotate.ts";
import { formatPath } from "./format-path.ts";
import { readDocument } from "./lenient/read-document.ts";
import { maxArgumentsLength } from "./parse-arguments.ts";
import { type ParsedJson, parsePlain } from "./parse-json.ts";
import type { Issue } from "./types.ts";
import { isUnclosed } from "./unclosed.ts";
import { alternatives, preview } from "./words.ts";

/** About how long a correction may be, in characters: a model corrects a few mistakes at a time. */
const maxLength = 4_000;

/** The parts of it: what is wrong, what the model sent, what was wrong before. */
const room = { issues: 1_600, input: 1_400, before: 600 };

/** The longest single line of it. */
const maxLine = 600;

/** How much is shown of a text that is not JSON, before and after the place where it goes wrong. */
const textAround = 100;

/**
 * The text that a model gets back for invalid arguments: each place, what was expected there and what was received, and
 * what it sent (`raw`) with the same places marked. About 4,000 characters at most.
 * @param earlier issues of its previous calls of the tool, if it repeats a mistake.
 */
export function invalidArgumentsMessage(
  toolName: string,
  issues: readonly Issue[],
  raw: string,
  earlier: readonly Issue[] = [],
): string {
  return [
    `${cut(toolName, 80)} was not called, because its arguments are invalid:`,
    ...within(
      issues.map((issue) => line(issue)),
      room.issues,
    ),
    showInput(raw, issues),
    ...before(issues, earlier),
    "Call the tool again with corrected arguments.",
  ].join("\n");
}

/**
 * The text that a model gets back for an answer that does not match the output schema.
 * @param toolName the tool to call with the answer, if the model wrote it as text instead.
 */
export function invalidOutputMessage(
  issues: readonly Issue[],
  raw: string,
  earlier: readonly Issue[] = [],
  toolName?: string,
): string {
  return [
    "Your answer was not accepted, because it does not match the output schema:",
    ...within(
      issues.map((issue) => line(issue, "the answer")),
      room.issues,
    ),
    showInput(raw, issues),
    ...before(issues, earlier),
    toolName === undefined
      ? "Answer again, with corrected JSON alone."
      : `Call ${toolName} with the corrected answer.`,
  ].join("\n");
}

/** Identifies a kind of mistake: equal texts are the same mistake. */
export function kindOfIssue({ path, expected, message }: Issue): string {
  return `${formatPath(path)} ${expected ?? message}`;
}

/** What the model sent, with the wrong places marked. */
function showInput(raw: string, issues: readonly Issue[]): string {
  if (raw.trim() === "") return "You sent: nothing";
  if (raw.length > maxArgumentsLength) return `You sent: ${cut(raw, 2 * textAround)}`;
  const plain = parsePlain(raw);
  const read: ParsedJson = plain ? { ok: true, value: plain.value } : readDocument(raw);
  const isCut = read.ok && read.unclosed && issues.some(isUnclosed);
  if (read.ok && !isCut) return `You sent:\n${annotate(read.value, issues, room.input)}`;
  const { at = 0 } = read.ok ? { at: raw.trimEnd().length } : read;
  const from = Math.max(at - textAround, 0);
  const start = `${from > 0 ? "…" : ""}${raw.slice(from, at).trimEnd()}`;
  return `You sent:\n${start}${at > 0 ? " <-- wrong from here: " : ""}${cut(raw.slice(at), textAround)}`;
}

function before(issues: readonly Issue[], earlier: readonly Issue[]): readonly string[] {
  if (earlier.length === 0) return [];
  const current = new Set(issues.map((issue) => line(issue)));
  const others = [...new Set(earlier.map((issue) => line(issue)))].filter((text) => !current.has(text));
  const again = "You made this mistake before.";
  return others.length === 0
    ? [again]
    : [`${again} What was wrong in your calls just before:`, ...within(others, room.before)];
}

/**
 * The text that a model gets back for calling an unknown tool: the most similar names, and the available ones.
 * About 4,000 characters at most.
 */
export function unknownToolMessage(
  name: string,
  available: readonly string[],
  near: readonly string[] = closest(name, available),
  list: string = listTools(available),
): string {
  const wrong = `There is no tool named ${preview(name)}.`;
  if (available.length === 0) return `${wrong} There are no tools: answer without one.`;
  const hint = near.length === 0 ? "" : ` Did you mean ${alternatives(near.map(quoteTool))}?`;
  return `${wrong}${hint} The tools are: ${list}. Call one of them, or answer without a tool.`;
}

/** The names of tools for `unknownToolMessage`, which need not be written again for each call of an answer. */
export function listTools(available: readonly string[]): string {
  return cut(available.map(quoteTool).join(", "), maxLength - 1_000);
}

function quoteTool(name: string): string {
  return preview(name, 100);
}

function line({ path, message, expected, received }: Issue, whole = "the arguments"): string {
  const place = path.length === 0 ? whole : formatPath(path);
  const wish = expected === undefined || message.includes(expected) ? "" : ` (expected ${expected})`;
  const receivedText = received === undefined ? "" : preview(received);
  const value = message.includes(receivedText) ? "" : `: ${receivedText}`;
  return `- ${cut(place, 200)}: ${cut(message + wish, maxLine)}${value}`;
}

/** The lines that fit into `room` characters, and a line with the number of omitted ones. */
function within(lines: readonly string[], room: number): string[] {
  let left = room;
  const fitting = lines.filter((text) => (left -= text.length + 1) >= 0);
  const omitted = lines.length - fitting.length;
  return omitted === 0 ? fitting : [...fitting, `- and ${omitted} more`];
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}…`;
}

import { canonicalJson } from "../../base/util/canonical-json.ts";
import type { JsonValue } from "../../base/util/json.ts";
import { freeze } from "../../base/util/snapshot.ts";
import { toJson } from "../../base/util/to-json.ts";
import type { Tool } from "../../tool/types.ts";
import type { ToolCall } from "../../message/messages.ts";
import { parseInTime } from "../parse-in-time.ts";
import { sleep } from "../../base/util/sleep.ts";
import { refusal } from "../refusal.ts";
import type { ExecutionScope, FilledCall, SettledCall } from "../types.ts";

/**
 * A tool's input as a person is shown it: plain JSON. `undefined` if it cannot be shown whole: nobody can decide on what is cut, or
 * make of it what the tool would.
 */
export function shownInput(input: unknown): JsonValue | undefined {
  const { value, isCut } = toJson(input);
  return isCut ? undefined : freeze(value);
}

/** The input of a call that was permitted, as far as it can be kept. */
export function permittedInput(input: unknown): { readonly input?: JsonValue } {
  const visibleInput = shownInput(input);
  return visibleInput === undefined ? {} : { input: visibleInput };
}

/** Refuses a call that nobody can be shown whole: with the results that it refers to, it may be longer than the model wrote it. */
export function tooLargeToShow(call: ToolCall, scope: ExecutionScope): SettledCall {
  const why =
    "its arguments, with the results that they refer to, are too long or nested too deep to be shown to a person. Give less: at most 1,048,576 characters and 100 levels.";
  return { result: refusal(call, why, "invalid-arguments", scope) };
}

/** Whether two inputs, as they are shown, are equal. A store may have changed the order of their keys. */
export function isSameInput(one: unknown, other: unknown): boolean {
  return canonicalJson(one) === canonicalJson(other);
}

/**
 * The input that a person was shown. What the arguments come to may have changed since: by a default that is computed, such as an id, or
 * by a new version of the tool. Then it is what was shown, read as arguments.
 * @param input - What the arguments come to now.
 * @returns `undefined` if the tool can no longer be called with it, its check does not end, or results that were put into the arguments have changed.
 */
export async function inputAsShown(
  input: unknown,
  visibleInput: JsonValue,
  tool: Tool,
  { source, signal }: Pick<ExecutionScope, "source" | "signal">,
): Promise<{ readonly input: unknown } | undefined> {
  if (isShownAs(input, visibleInput)) return { input };
  if (source && !hasResults(visibleInput, source)) return undefined;
  const read = await parseInTime(JSON.stringify(visibleInput), tool, signal);
  if (read.kind === "error") throw read.error;
  if (read.kind !== "value" || !read.value.ok) return undefined;
  const { value } = read.value;
  return isShownAs(value, visibleInput) ? { input: value } : undefined;
}

/** How far apart two readings of the same arguments are, in milliseconds: a clock has gone on. */
const betweenReadings = 2;

/** Whether the arguments of a call come to another input each time they are read, by a default that is computed: nobody can approve one of them. */
export async function changesByItself(
  { arguments: text }: ToolCall,
  input: unknown,
  tool: Tool,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  // Schemas of our own compute nothing.
  if (!tool.inputSchema.validateAsync) return false;
  await sleep(betweenReadings, signal);
  const read = await parseInTime(text, tool, signal);
  if (read.kind !== "value" || !read.value.ok) return false;
  return !isSameInput(shownInput(read.value.value), shownInput(input));
}

/** Refuses a call that was shown to a person with an input which its arguments never come to again. */
export function changedByItself(call: ToolCall, scope: ExecutionScope): SettledCall {
  const why =
    "its schema has a default that is computed again each time, and a transform, so that the input which was approved cannot be made again. Give a value for each parameter that has such a default; or the tool's author computes it in the tool.";
  return { result: refusal(call, why, "invalid-arguments", scope) };
}

function isShownAs(input: unknown, visibleInput: JsonValue): boolean {
  const current = shownInput(input);
  return current !== undefined && isSameInput(current, visibleInput);
}

/** Whether what is shown has the results that are put into the arguments now. */
function hasResults(visibleInput: JsonValue, { filled, places }: FilledCall): boolean {
  const value: unknown = JSON.parse(filled.arguments);
  return places.every((place) => isSameInput(valueAt(visibleInput, place), valueAt(value, place)));
}

function valueAt(value: unknown, [key, ...rest]: readonly (string | number)[]): unknown {
  if (key === undefined) return value;
  const members: Readonly<Record<string, unknown>> = Object(value);
  return Object.hasOwn(members, key) ? valueAt(members[key], rest) : undefined;
}

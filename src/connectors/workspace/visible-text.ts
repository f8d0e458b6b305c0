import type { ToolCall, ToolResult } from "../../message/messages.ts";
import type { Part } from "../../message/parts.ts";
import { isNote } from "../../executor/notes.ts";
import { readResultName } from "../../executor/read-result.ts";
import { isPlainObject } from "../../base/util/json.ts";

/** A part of a text: the first character, and the one behind the last. */
export type Range = readonly [from: number, to: number];

/** What a model has read on in truncated results, collected from the end of a history on. */
export class LaterReads {
  readonly #texts = new Map<string, string[]>();

  /** Adds those of an answer, which come before all that are here. */
  add(calls: readonly ToolCall[], results: ReadonlyMap<string, ToolResult>): void {
    // An id means the last result that has it: what was read on since is not of an earlier one.
    for (const { toolCallId, truncated } of results.values()) if (truncated) this.#texts.delete(toolCallId);
    for (const call of calls) {
      const result = results.get(call.toolCallId);
      if (result?.toolName !== readResultName) continue;
      const input = inputOfCall(call);
      const of = isPlainObject(input) ? String(input["toolCallId"]) : "";
      this.#texts.set(of, [...(this.#texts.get(of) ?? []), firstText(result)]);
    }
  }

  /** What was read on in a result. */
  of(toolCallId: string): readonly string[] {
    return this.#texts.get(toolCallId) ?? [];
  }
}

/** Whether a model has read a whole text, with which the value of a result begins: in the result, and in what it has read on since. */
export function isVisible(text: string, result: ToolResult, later: LaterReads): boolean {
  const content = firstText(result);
  if (!result.truncated) return content === text;
  const whole = result.truncated.text ?? JSON.stringify(result.structuredContent);
  if (!whole.startsWith(text)) return false;
  const ranges = later.of(result.toolCallId).map((each) => rangeOf(each, whole));
  return isCovered(text.length, [...endsOf(content, whole), ...ranges]);
}

/** The arguments of a call; `undefined` if they are not JSON. */
export function inputOfCall({ arguments: json }: ToolCall): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** The first part that is not a note is the text of a file; behind it may be that of `AGENTS.md`. */
function firstText({ content }: ToolResult): string {
  const part = content.find((each) => !isNote(each));
  return part && isText(part) ? part.text : "";
}

function isText(part: Part): part is Extract<Part, { type: "text" }> {
  return part.type === "text";
}

/** Head and tail of a text that stand in an excerpt. */
function endsOf(excerpt: string, whole: string): readonly Range[] {
  let head = 0;
  while (head < excerpt.length && excerpt[head] === whole[head]) head++;
  let tail = 0;
  while (tail < excerpt.length - head && excerpt.at(-1 - tail) === whole.at(-1 - tail)) tail++;
  return [
    [0, head],
    [whole.length - tail, whole.length],
  ];
}

/** Where a text is that was read on; nowhere if it does not stand there as it was read. */
function rangeOf(text: string, whole: string): Range {
  const [line = "", start] = /^\[characters (\d{1,9}) to \d{1,9}, [^\]\n]*\]\n/.exec(text) ?? [];
  const part = text.slice(line.length);
  const from = Number(start);
  return start !== undefined && whole.startsWith(part, from) ? [from, from + part.length] : [0, 0];
}

/** Whether the ranges have every character up to a length. */
export function isCovered(length: number, ranges: readonly Range[]): boolean {
  let end = 0;
  for (const [from, to] of ranges.toSorted(([one], [other]) => one - other)) {
    if (from > end) break;
    end = Math.max(end, to);
  }
  return end >= length;
}

import { parseExactJson } from "../../../base/util/exact-json.ts";
import { isJsonObject } from "../../kit/json-values.ts";
import type { BatchOutcome, BatchOutcomes } from "./types.ts";

/** How many unreadable lines are kept, to show them. */
const mostUnreadable = 1_000;

/** Reads a line; `undefined` if it is not an outcome. */
export type LineReader = (line: unknown) => readonly [customId: string, BatchOutcome] | undefined;

/**
 * The outcomes in results of a batch, a line for each. A line that cannot be read takes nothing from the others.
 * @param texts - Files of lines of JSON.
 * @param excerpt - The beginning of a line, as an error may show it.
 */
export function outcomesIn(
  texts: readonly string[],
  read: LineReader,
  excerpt: (line: string) => string,
): BatchOutcomes {
  const outcomes = new Map<string, BatchOutcome>();
  const unreadable: string[] = [];
  let isDoubtful = false;
  for (const text of texts) {
    const lines = linesOf(text);
    let hasObject = false;
    for (const line of lines) {
      const value = parsed(line);
      hasObject ||= isJsonObject(value);
      const entry = read(value);
      if (entry) outcomes.set(...entry);
      else if (unreadable.length < mostUnreadable) unreadable.push(excerpt(line));
    }
    isDoubtful ||= lines.length > 0 && !hasObject;
  }
  const size = texts.reduce((sum, text) => sum + text.length, 0);
  return { outcomes, ids: new Set(outcomes.keys()), unreadable, isDoubtful, size };
}

function linesOf(text: string): readonly string[] {
  return text.split("\n").flatMap((line) => line.trim() || []);
}

/** As an answer by itself is read: arguments of calls may stand as objects. */
function parsed(line: string): unknown {
  try {
    return parseExactJson(line);
  } catch {
    return undefined;
  }
}

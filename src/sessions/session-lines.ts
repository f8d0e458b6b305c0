import { SkeinError } from "../errors.ts";
import type { SessionEntry } from "../run/session/session.ts";
import { isPlainObject } from "../base/util/json.ts";

/** What a file of a session holds. */
export interface SessionLines {
  readonly entries: readonly SessionEntry[];
  /** Whether the last line is whole: the next one can follow at once. */
  readonly isWhole: boolean;
}

/** What is added to a session at once, as a line: it is kept whole or, where the end of it is missing, not at all. */
export function lineOf(entries: readonly SessionEntry[]): string {
  return `${JSON.stringify(entries)}\n`;
}

/**
 * Reads the lines of a session. Of lines with the same numbers the first counts: the others lost the race to write it.
 * A line that a crash cut short was never kept, and is left out.
 * @throws SkeinError (`session-unreadable`) if what follows shows that the line was a part of the session.
 */
export function readLines(text: string, path: string): SessionLines {
  const entries: SessionEntry[] = [];
  let damaged: number | undefined;
  for (const [index, line] of text.split("\n").entries()) {
    if (line === "") continue;
    const read = entriesOf(line);
    const first = read?.[0]?.sequence ?? 0;
    // A session that was cleared begins with saying so.
    const begin = read?.[0]?.type === "clear" ? first : 1;
    const next = entries.length > 0 ? (entries.at(-1)?.sequence ?? 0) + 1 : begin;
    if (!read) damaged = index + 1;
    else if (first === next) for (const entry of read) entries.push(entry);
    else if (first > next) throw unreadable(path, damaged ?? index + 1);
  }
  return { entries, isWhole: text === "" || text.endsWith("\n") };
}

function entriesOf(line: string): readonly SessionEntry[] | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return Array.isArray(value) && value.length > 0 && value.every(isEntry) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isEntry(value: unknown): value is SessionEntry {
  return (
    isPlainObject(value) && Number.isSafeInteger(value["sequence"]) && typeof value["writer"] === "string"
  );
}

function unreadable(path: string, line: number): SkeinError {
  return new SkeinError(`${path} cannot be read: line ${line} is damaged, or lines before it are missing.`, {
    code: "session-unreadable",
    data: { path, line },
  });
}

import { SkeinError } from "../errors.ts";
import type { SessionEntry } from "../run/session/session.ts";
import { isPlainObject } from "../base/util/json.ts";

/** What a file of a session holds. */
export interface SessionLines {
  readonly entries: readonly SessionEntry[];
  /** Whether the last line is whole: the next one can follow at once. */
  readonly isWhole: boolean;
  /** Whether the last line was cut short, and is left out: one that lacks nothing but its end is not. */
  readonly isCut: boolean;
}

/** What is added to a session at once, as a line: it is kept whole or, where the end of it is missing, not at all. */
export function lineOf(entries: readonly SessionEntry[]): string {
  return `${JSON.stringify(entries)}\n`;
}

/**
 * Reads the lines of a session. Of lines with the same numbers the first counts: the others lost the race to write it.
 * A line that a crash cut short was never kept, and is left out: it has no end, or what took its place follows it.
 * @throws SkeinError (`session-unreadable`) for any other damaged line: what it kept is lost.
 */
export function readLines(text: string, path: string): SessionLines {
  const entries: SessionEntry[] = [];
  const isWhole = text === "" || text.endsWith("\n");
  let isCut = false;
  let damaged: number | undefined;
  const lines = text.split("\n");
  for (const [index, line] of lines.entries()) {
    if (line === "") continue;
    const read = entriesOf(line);
    isCut = !read && !isWhole && index === lines.length - 1;
    const first = read?.[0]?.sequence ?? 0;
    // A session that was cleared begins with saying so.
    const begin = read?.[0]?.type === "clear" ? first : 1;
    const next = entries.length > 0 ? (entries.at(-1)?.sequence ?? 0) + 1 : begin;
    if (read && first > next) throw unreadable(path, damaged ?? index + 1);
    if (read && first === next) {
      for (const entry of read) entries.push(entry);
      damaged = undefined;
    } else if (!read && (isWhole || (index < lines.length - 1 && !isBegin(line)))) damaged ??= index + 1;
  }
  if (damaged !== undefined) throw unreadable(path, damaged);
  return { entries, isWhole, isCut };
}

/** Whether it may be the begin of a line: where a crash cut one short, another may have cut the one that took its place. */
function isBegin(line: string): boolean {
  return line.startsWith("[") && !line.includes("\0");
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

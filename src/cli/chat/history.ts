import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

/** What was typed before, in this conversation and in earlier ones. */
export interface History {
  /** The latest first. */
  readonly entries: readonly string[];
  /** Keeps an input, unless it begins with a space or is very long. */
  add(input: string): void;
}

/** How many inputs are kept, and how long one may be, in characters. */
const most = { entries: 1000, length: 10_000 };

/** Where inputs are kept by default: the user's folder for the state of programs, as the XDG Base Directory Specification names it. */
export function historyFile(): string {
  const { XDG_STATE_HOME, LOCALAPPDATA } = process.env;
  const windows = process.platform === "win32" ? LOCALAPPDATA : undefined;
  return join(XDG_STATE_HOME || windows || join(homedir(), ".local", "state"), "skein", "chat-history");
}

/** A history that is forgotten at the end. */
export function memoryHistory(entries: string[] = []): History {
  return {
    entries,
    add(input) {
      if (!isKept(input)) return;
      const index = entries.indexOf(input);
      if (index >= 0) entries.splice(index, 1);
      entries.unshift(input);
      if (entries.length > most.entries) entries.pop();
    },
  };
}

/**
 * A history in a file that only the user can read: one input a line, as JSON, the latest last. Lines that are none are left out.
 * @param onFailure called once if it cannot be read or written; inputs are then kept until the end only.
 */
export function fileHistory(file: string, onFailure: (error: unknown) => void): History {
  const inMemory = memoryHistory();
  const { entries } = inMemory;
  let isBroken = false;
  const attempt = (work: () => void): void => {
    if (isBroken) return;
    try {
      work();
    } catch (error) {
      isBroken = true;
      onFailure(error);
    }
  };
  attempt(() => {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const lines = readLines(file);
    for (const line of lines.slice(-2 * most.entries)) inMemory.add(parse(line));
    // The file is made shorter now and then, not at every line.
    if (lines.length > 2 * most.entries) {
      writeFileSync(file, entries.toReversed().map(line).join(""), { mode: 0o600 });
    }
  });
  return {
    entries,
    add(input) {
      if (!isKept(input) || input === entries[0]) return;
      inMemory.add(input);
      attempt(() => appendFileSync(file, line(input), { mode: 0o600 }));
    },
  };
}

function isKept(input: string): boolean {
  return input.trim() !== "" && !input.startsWith(" ") && input.length <= most.length;
}

function line(input: string): string {
  return `${JSON.stringify(input)}\n`;
}

function readLines(file: string): readonly string[] {
  try {
    return readFileSync(file, "utf8").split("\n");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

/** Empty, which is not stored, for what is not a JSON string: another program's line, or half of one. */
function parse(json: string): string {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "string" ? value : "";
  } catch {
    return "";
  }
}

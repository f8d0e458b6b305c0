import { readFileSync } from "node:fs";
import { isAbsolute, relative } from "node:path";
import type { Place } from "../base/util/place.ts";
import { printable, type Screen } from "./text.ts";

/** The longest line of source that is shown, in characters. */
const longestLine = 200;

/** A message about a place. */
export interface LocatedMessage {
  readonly place: Place;
  readonly level: "warn" | "error";
  /** What says so, shown after the level; nothing if there is no more than one thing that could. */
  readonly rule?: string;
  readonly message: string;
  readonly help?: string;
}

/** A message as compilers write them: the place, what is wrong, the line with a mark below, the fix. Ends with a line break. */
export function formatMessage(message: LocatedMessage, screen: Screen): string {
  const { place, level, rule, help } = message;
  const where = `${printable(displayPath(place.file))}:${place.line}:${place.column}`;
  const kind = screen.paint(level === "error" ? "red" : "yellow", level === "error" ? "error" : "warning");
  const head = `${screen.paint("cyan", where)} - ${kind}${rule === undefined ? "" : ` ${printable(rule)}`}: ${printable(message.message)}`;
  const lines = [head, ...excerpt(place, level, screen)];
  return `${[...lines, ...(help === undefined ? [] : [`  help: ${printable(help)}`])].join("\n")}\n`;
}

/** A path as people read it: relative to the working directory where it lies within. */
export function displayPath(file: string): string {
  const path = relative(process.cwd(), file);
  return path === "" || path.startsWith("..") || isAbsolute(path) ? file : path.replaceAll("\\", "/");
}

/** The line of a place, and a mark below it; nothing where the file cannot be read any more. */
function excerpt({ file, line, column, length }: Place, level: "warn" | "error", screen: Screen): string[] {
  const text = lineOf(file, line);
  if (text === undefined) return [];
  const visible = printable(text).slice(0, longestLine);
  const number = `${line}`;
  const before = visible.slice(0, column - 1).replaceAll(/[^\t]/g, " ");
  const marks = "^".repeat(Math.max(1, Math.min(length, visible.length - column + 1)));
  const bar = screen.paint("dim", " |");
  const mark = screen.paint(level === "error" ? "red" : "yellow", marks);
  const empty = " ".repeat(number.length);
  return ["", `  ${screen.paint("dim", number)}${bar} ${visible}`, `  ${empty}${bar} ${before}${mark}`];
}

function lineOf(file: string, line: number): string | undefined {
  try {
    return readFileSync(file, "utf8").split(/\r?\n/)[line - 1];
  } catch {
    // The file went away between the check and the message: the message stands without its line.
    return undefined;
  }
}

import { pageOf } from "../../../base/util/page.ts";
import { MemoryError } from "./errors.ts";
import type { MemoryFile } from "./memory-store.ts";
import { isBelow } from "./paths.ts";

/** How deep a folder is listed. */
const listedDepth = 2;

/** Lines around a change that a model sees. */
const around = 4;

/** The form in which Anthropic documents what the commands of its memory tool return: models know it. */
export function viewFolder(folder: string, files: readonly MemoryFile[]): string {
  const sizes = new Map<string, number>([[folder, 0]]);
  const add = (path: string, bytes: number): void => void sizes.set(path, (sizes.get(path) ?? 0) + bytes);
  for (const { path, bytes } of files) {
    if (!isBelow(path, folder)) continue;
    const names = path.slice(folder.length + 1).split("/");
    add(folder, bytes);
    for (let depth = 1; depth <= Math.min(names.length, listedDepth); depth++) {
      const isFolder = depth < names.length;
      add(`${folder}/${names.slice(0, depth).join("/")}${isFolder ? "/" : ""}`, bytes);
    }
  }
  const lines = [...sizes].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return (
    `Here're the files and directories up to ${listedDepth} levels deep in ${folder}, excluding hidden items and node_modules:\n` +
    pageOf(
      lines.map(([path, bytes]) => `${sizeText(bytes)}\t${path}`).join("\n"),
      1,
      () => "View a folder of it.",
    )
  );
}

function sizeText(bytes: number): string {
  if (bytes < 1_024) return `${bytes}B`;
  return bytes < 1_048_576 ? `${(bytes / 1_024).toFixed(1)}K` : `${(bytes / 1_048_576).toFixed(1)}M`;
}

/**
 * The lines of a file with their numbers.
 * @param range - The first and the last line; -1 for the end.
 * @throws MemoryError for lines that the file has not.
 */
export function viewFile(path: string, text: string, range: readonly number[] | undefined): string {
  const lines = linesOf(text);
  const [from = 1, last = -1] = range ?? [];
  const to = last === -1 ? lines.length : last;
  if (from < 1 || from > lines.length || to < from)
    throw new MemoryError(
      `Error: Invalid \`view_range\` parameter: [${from}, ${last}]. ${path} has the lines 1 to ${lines.length}.`,
    );
  const page = pageOf(
    numbered(lines, 1, lines.length),
    from,
    (line) => `Go on with view_range [${line}, -1].`,
    to - from + 1,
  );
  return `Here's the content of ${path} with line numbers:\n${page}`;
}

/** What a text has around a place that was changed. */
export function viewChange(path: string, text: string, place: number, length: number): string {
  const lines = linesOf(text);
  const lineAt = (at: number): number => text.slice(0, at).split("\n").length;
  const from = Math.max(1, lineAt(place) - around);
  const to = Math.min(lines.length, lineAt(place + length) + around);
  return `The memory file has been edited. Here's a snippet of ${path} with line numbers:\n${pageOf(numbered(lines, from, to), 1, () => "View the file for them.")}`;
}

/** The most places of a text that are looked for. */
const mostPlaces = 20;

/** The numbers of the lines in which a text begins, of the first of them; texts may overlap. */
export function linesWith(text: string, part: string): readonly number[] {
  const lines: number[] = [];
  for (let at = text.indexOf(part); at >= 0 && lines.length < mostPlaces; at = text.indexOf(part, at + 1))
    lines.push(text.slice(0, at).split("\n").length);
  return lines;
}

/** The lines of a text; a line feed at its end begins none. */
export function linesOf(text: string): readonly string[] {
  const lines = text.split("\n");
  return lines.length > 1 && lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

function numbered(lines: readonly string[], from: number, to: number): string {
  return lines
    .slice(from - 1, to)
    .map((line, index) => `${String(from + index).padStart(6)}\t${line}`)
    .join("\n");
}

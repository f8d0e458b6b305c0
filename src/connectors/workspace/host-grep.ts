import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { boundary } from "../../base/util/cut-text.ts";
import type { GrepRequest } from "../../sandbox/file-tools.ts";
import { type ModelFolder, readBytesWithin, resolveWithin } from "../../sandbox/read-within.ts";
import { visiblePath } from "../../sandbox/visible-path.ts";
import { matchLinear } from "../../schema/patterns/match-linear.ts";
import { provideMatcher, readPattern } from "../../schema/patterns/pattern.ts";
import type { Pattern } from "../../schema/patterns/types.ts";
import { type ResultList, resultList } from "./result-list.ts";
import { walkFiles, type WalkEnd } from "./walk-files.ts";

/** What one call may spend on its expression: some seconds at most, with pauses. */
const mostSteps = 2_000_000_000;

/** Longer files are not searched, in bytes; longer lines are cut, in characters. */
const largestFile = 1_000_000;
const longestLine = 500;

/** Searches texts of files, without a program: an expression of a model takes a bounded time. */
export async function searchHostFiles(
  folder: ModelFolder,
  { pattern, path, ignoreCase }: GrepRequest,
  signal: AbortSignal,
): Promise<string> {
  provideMatcher(matchLinear);
  const expression = readPattern(ignoreCase ? lowerCase(pattern) : pattern);
  if (typeof expression === "string") throw folder.error(`The pattern ${expression}.`);
  const start = await resolveWithin(folder, path);
  const list = resultList();
  const end: WalkEnd = { isCut: false };
  const search: Search = { folder, expression, ignoreCase, list, end, budget: { patternSteps: mostSteps } };
  if ((await lstat(start)).isFile()) await searchFile(search, path);
  else
    for await (const entry of walkFiles(folder, path, signal, end)) {
      if (entry.isFile) await searchFile(search, entry.path);
      if (end.isCut || list.isFull) break;
    }
  return list.text(end.isCut);
}

/** An expression in lower case: letters that are part of an escape, such as \\S, mean something else then. */
function lowerCase(pattern: string): string {
  return pattern.replaceAll(/\\p\{[^}]*\}|\\[^]|\p{Lu}/giu, (token) =>
    token.startsWith("\\") ? token : token.toLowerCase(),
  );
}

interface Search {
  readonly folder: ModelFolder;
  readonly expression: Pattern;
  readonly ignoreCase: boolean;
  readonly list: ResultList;
  readonly end: WalkEnd;
  readonly budget: { patternSteps: number };
}

async function searchFile(
  { folder, expression, ignoreCase, list, end, budget }: Search,
  path: string,
): Promise<void> {
  const stats = await lstat(join(folder.root, path)).catch(() => undefined);
  if (stats && stats.size > largestFile) return;
  // It may be gone, or be no one's to read.
  const bytes = await readBytesWithin(folder, path).catch(() => undefined);
  if (!bytes || bytes.includes(0)) return;
  const lines = new TextDecoder().decode(bytes).split("\n");
  if (lines.at(-1) === "") lines.pop();
  for (const [index, line] of lines.entries()) {
    const fits = expression.test(ignoreCase ? line.toLowerCase() : line, budget);
    if (fits === undefined) end.isCut = true;
    if (end.isCut || list.isFull) return;
    const visible = line.length > longestLine ? `${line.slice(0, boundary(line, longestLine))} [cut]` : line;
    if (fits) list.add(`${visiblePath(path)}:${index + 1}:${visible}`);
  }
}

import { matchLinear } from "../../schema/patterns/match-linear.ts";
import { type ModelFolder, resolveWithin } from "../../sandbox/read-within.ts";
import { visiblePath } from "../../sandbox/visible-path.ts";
import { type ResultList, resultList } from "./result-list.ts";
import { walkFiles, type WalkEnd } from "./walk-files.ts";

/** What one call may spend on its pattern: some tenths of a second. */
const mostSteps = 500_000_000;

/** Files and folders by patterns as bash has them, with `globstar`: names that begin with a dot are for patterns that say so. */
export async function findHostFiles(
  folder: ModelFolder,
  patterns: readonly string[],
  signal: AbortSignal,
): Promise<string> {
  const search: Search = {
    folder,
    paths: new Set(),
    list: resultList(),
    budget: { patternSteps: mostSteps },
  };
  const end: WalkEnd = { isCut: false };
  for (const pattern of patterns) {
    await findByPattern(search, pattern, signal, end);
    if (end.isCut || search.list.isFull) break;
  }
  return search.list.text(end.isCut);
}

/** What the patterns of a call have in common. */
interface Search {
  readonly folder: ModelFolder;
  /** What is listed already. */
  readonly paths: Set<string>;
  readonly list: ResultList;
  readonly budget: { patternSteps: number };
}

async function findByPattern(
  { folder, paths, list, budget }: Search,
  pattern: string,
  signal: AbortSignal,
  end: WalkEnd,
): Promise<void> {
  const test = matchLinear(globExpression(pattern));
  if (!test) throw folder.error(`${JSON.stringify(pattern)} is not a pattern of paths.`);
  const start = literalStart(pattern);
  // A link may lead out.
  if (!(await isWithinFolder(folder, start))) return;
  for await (const { path } of walkFiles(folder, start, signal, end)) {
    const fits = test(path, budget);
    if (fits === undefined) end.isCut = true;
    if (fits && !paths.has(path)) list.add(visiblePath(path));
    if (fits) paths.add(path);
    if (end.isCut || list.isFull) return;
  }
}

async function isWithinFolder(folder: ModelFolder, path: string): Promise<boolean> {
  return resolveWithin(folder, path).then(
    () => true,
    () => false,
  );
}

/** The folders that a pattern begins with: nothing else has to be looked at. */
function literalStart(pattern: string): string {
  const names = pattern.split("/").slice(0, -1);
  const first = names.findIndex((name) => /[*?[\\]/.test(name));
  return names.slice(0, first < 0 ? names.length : first).join("/") || ".";
}

/** The regular expression of a pattern. */
function globExpression(pattern: string): RegExp {
  const names = pattern.split("/");
  const parts = names.map((name, index) => {
    const isLast = index === names.length - 1;
    if (name === "**") return isLast ? `(?:${visible}[^/]+/)*${visible}[^/]+` : `(?:${visible}[^/]+/)*`;
    return `${nameExpression(name)}${isLast ? "" : "/"}`;
  });
  return new RegExp(`^${parts.join("")}$`, "u");
}

/** Not before a dot. */
const visible = "(?!\\.)";

function nameExpression(name: string): string {
  const start = /^[*?[]/.test(name) ? visible : "";
  const body = name.replaceAll(/\*+|\?|\[[!^]?\]?[^\]/]*\]|\\?[^]/gu, (token) => {
    if (token.startsWith("*")) return "[^/]*";
    if (token === "?") return "[^/]";
    if (token.length > 2 && token.startsWith("[")) return classExpression(token);
    return escaped(token.length > 1 && token.startsWith("\\") ? token.slice(1) : token);
  });
  return `${start}${body}`;
}

/** A class of characters; ranges are kept, all else is literal. */
function classExpression(token: string): string {
  const inner = token.slice(1, -1);
  const isNegated = /^[!^]/.test(inner);
  const members = Array.from(isNegated ? inner.slice(1) : inner);
  const ranges = members.map((member, index) => {
    const [low = "", high = ""] = [members[index - 1], members[index + 1]];
    return member === "-" && low !== "" && high !== "" && low <= high ? "-" : escaped(member);
  });
  return `[${isNegated ? "^/" : ""}${ranges.join("")}]`;
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

import { readFileSync, statSync, type Stats } from "node:fs";
import type { FoundFunction } from "../compiler/index.ts";
import type { SourceLocation } from "./source-locations.ts";

/** When the files of this process were loaded, at the earliest. */
const startedAt = performance.timeOrigin;

/**
 * Whether a function's source has changed since what runs was made of it. Where the source map does not have the text,
 * whether it may have: since the program started, or, for a program that was built, since it was built.
 */
export function mayBeOutdated({ file, script, builtFrom }: SourceLocation): boolean {
  if (builtFrom !== undefined) return readFileSync(file, "utf8") !== builtFrom;
  return changedSince(file, loadedAt({ file, script }));
}

/** When what runs was read or built, in milliseconds since 1970: the program's start, or the last change of a built script. */
export function loadedAt({ file, script }: Pick<SourceLocation, "file" | "script">): number {
  return file === script ? startedAt : (timesOf(script)?.mtimeMs ?? 0);
}

/** Whether a file of the program has changed since `time`. */
export function isNewer(file: string, time: number): boolean {
  return !file.includes("/node_modules/") && changedSince(file, time);
}

/** The modules among files that have changed since `time`. What only declares is never loaded. */
export function changedModules(files: Iterable<string>, time: number): readonly string[] {
  return [...files].filter((file) => !/\.d(?:\.\w+)?\.[cm]?ts$|\.json$/.test(file) && isNewer(file, time));
}

/** `changedModules` of what the functions of a file depend on, found once for each file and time. */
export function changeFinder(): (
  file: string,
  dependencies: Iterable<string>,
  time: number,
) => readonly string[] {
  const answers = new Map<string, readonly string[]>();
  return (file, dependencies, time) => {
    const key = `${file} ${time}`;
    const answer = answers.get(key) ?? changedModules(dependencies, time);
    answers.set(key, answer);
    return answer;
  };
}

/**
 * Whether the running text was made of what is found in the source: they have the same words in the same order, but for
 * types, the name (which build tools give to functions without one) and what such tools put in.
 */
export function isMadeOf(candidate: FoundFunction, text: string): boolean {
  const running = text.replaceAll(importedName, "");
  const unnamed = words(running.slice(running.indexOf("(") + 1)).filter((word) => !word.startsWith("__"));
  return isWithin(unnamed, words(candidate.text)) && isWithin(words(candidate.words()), words(running));
}

/** How vite writes what a module imports. */
const importedName = /(?:\(0, ?)?__vite_ssr_import_\w+\./g;

/** Whether all of `some` stand in `all`, in that order. */
function isWithin(some: readonly string[], all: readonly string[]): boolean {
  let at = 0;
  return some.every((word) => {
    at = all.indexOf(word, at) + 1;
    return at > 0;
  });
}

/** Names, numbers and what strings say, however it is escaped. */
function words(text: string): readonly string[] {
  const plain = text.replace(/\\(?:u\{\w+\}|u\w{4}|x\w{2}|.)/g, " ");
  return (plain.match(/\d[\w.]*|\.\d\w*|[A-Za-z_$][\w$]*/g) ?? []).map((word) => {
    const number = Number(word.replaceAll("_", ""));
    return Number.isNaN(number) ? word : String(number);
  });
}

/**
 * Whether a file has changed since the program started, or since a script was built of it. `tar`, `rsync` and `touch -d` restore
 * the time of a file's last change, and cannot restore that of its inode, which a copy of a built project has of its own.
 */
function changedSince(file: string, time: number): boolean {
  const times = timesOf(file);
  if (times === undefined) return false;
  return times.mtimeMs > time || (time === startedAt && times.ctimeMs > time);
}

function timesOf(file: string): Stats | undefined {
  return statSync(file, { throwIfNoEntry: false });
}

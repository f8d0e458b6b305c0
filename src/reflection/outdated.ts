import { statSync } from "node:fs";
import type { FoundFunction } from "../compiler/index.ts";
import type { SourceLocation } from "./source-locations.ts";

/** When the files of this process were loaded, at the earliest. */
const startedAt = performance.timeOrigin;

/**
 * Whether a function's source may have changed since what runs was made of it: since the program started, or, for a
 * program that was built, since it was built.
 */
export function mayBeOutdated({ file, script }: SourceLocation): boolean {
  const madeAt = file === script ? startedAt : changedAt(script);
  return changedAt(file) > madeAt;
}

/**
 * Whether the running text was made of what is found in the source: they have the same words in the same order, but for
 * types and what build tools put in.
 */
export function isMadeOf(found: FoundFunction, text: string): boolean {
  const running = words(text.replaceAll(importedName, "")).filter((word) => !word.startsWith("__"));
  return isWithin(running, words(found.text)) && isWithin(found.words(), running);
}

/** How vite writes what a module imports. */
const importedName = /\(0, ?__\w+\./g;

/** Whether all of `some` stand in `all`, in that order. */
function isWithin(some: readonly string[], all: readonly string[]): boolean {
  let at = 0;
  return some.every((word) => {
    at = all.indexOf(word, at) + 1;
    return at > 0;
  });
}

function words(text: string): readonly string[] {
  return text.match(/[\p{ID_Continue}$]+/gu) ?? [];
}

/** Milliseconds since 1970; 0 for a file that is not there. */
function changedAt(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

import { statSync } from "node:fs";
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

/** Whether all words of a running function's text stand in its source, in that order: types and layout do not count. */
export function isMadeOf(source: string, text: string): boolean {
  const written = words(source);
  let at = 0;
  return words(text).every((word) => {
    const found = written.indexOf(word, at);
    if (found >= 0) at = found + 1;
    // Build tools name their helpers so.
    return found >= 0 || word.startsWith("__");
  });
}

function words(text: string): readonly string[] {
  return text.match(/[\p{ID_Continue}$]+/gu) ?? [];
}

/** Milliseconds since 1970; 0 for a file that is not there. */
function changedAt(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

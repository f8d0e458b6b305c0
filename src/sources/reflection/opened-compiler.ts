import { statSync } from "node:fs";
import type { Compiler } from "../compiler/index.ts";
import { decidingFolders, hasAdditionAfter } from "./listings.ts";

let opening: Promise<Compiler> | undefined;
let opened: Compiler | undefined;
let isDoubtful = false;
const stamps = new Map<string, string>();

/** File systems record the time of a change only to a few milliseconds. */
const tick = 20;

/**
 * The one compiler of this process, started at the first call; it knows files as they are on disk now.
 * Rejects where TypeScript cannot be loaded or its process has ended: `abandonCompiler` then, and try again.
 */
export async function freshCompiler(): Promise<Compiler> {
  opening ??= import("../compiler/index.ts").then((module) => module.openCompiler());
  const compiler = await opening;
  opened = compiler;
  const changed = [...stamps].filter(([file, stamp]) => stampOf(file) !== stamp).map(([file]) => file);
  for (const file of changed) stamps.delete(file);
  if (isDoubtful) compiler.refresh();
  else if (changed.length > 0) compiler.refresh(changed);
  isDoubtful = false;
  return compiler;
}

/**
 * Asks the compiler; another one if its process has ended: a Ctrl-C, for one, ends TypeScript's process as well. Rejects
 * where that fails, too.
 */
export async function askCompiler<Answer>(ask: (compiler: Compiler) => Answer): Promise<Answer> {
  try {
    return ask(await freshCompiler());
  } catch {
    abandonCompiler();
  }
  try {
    return ask(await freshCompiler());
  } catch (error) {
    abandonCompiler();
    throw error;
  }
}

/** Notes which files the compiler has read, so that they are read again once they have changed. */
export function noteFiles(files: Iterable<string>, readAt: number): void {
  for (const file of files) {
    if (!stamps.has(file)) stamps.set(file, changedAfter(file, readAt) ? "" : stampOf(file));
  }
}

/** Makes the next call of `freshCompiler` look at everything again: something was wrong, and may be fixed by then. */
export function doubtFiles(): void {
  isDoubtful = opening !== undefined;
}

/** Makes the next call of `freshCompiler` start another compiler. */
export function abandonCompiler(): void {
  opening = undefined;
  stamps.clear();
}

/** Whether a file has changed, or may have, since `time` (milliseconds since 1970). */
export function changedAfter(file: string, time: number): boolean {
  const stats = statSync(file, { throwIfNoEntry: false });
  // A time that was restored, as `tar` does, says nothing of when that happened.
  return stats === undefined || Math.max(stats.mtimeMs, stats.ctimeMs) > time - tick;
}

/** Whether files, and the folders that decide what they import and what is global, are as they were at `time`. */
export function isSettled(files: ReadonlySet<string>, included: ReadonlySet<string>, time: number): boolean {
  if ([...files].some((file) => changedAfter(file, time))) return false;
  return ![...decidingFolders(files, included)].some((folder) => hasAdditionAfter(folder, time - tick));
}

/** The folders of which every file belongs to the programs that the compiler has opened. */
export function includedFolders(): ReadonlySet<string> {
  return opened?.includedFolders() ?? new Set();
}

function stampOf(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats === undefined ? "absent" : `${stats.mtimeMs} ${stats.ctimeMs} ${stats.size}`;
}

import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { ModelFolder } from "../../sandbox/read-within.ts";

/** The most files and folders that one call looks at. */
const mostEntries = 50_000;

/** Folders that are not looked into, unless a call begins in one. */
const skipped: ReadonlySet<string> = new Set([".git", "node_modules"]);

/** A file or folder, by its path from the workspace on. */
export interface WalkedEntry {
  readonly path: string;
  readonly isFile: boolean;
}

/** Says how a walk has ended. */
export interface WalkEnd {
  isCut: boolean;
}

/** Walks through a folder, in the order of names. Links are listed, and not followed. */
export async function* walkFiles(
  folder: ModelFolder,
  start: string,
  signal: AbortSignal,
  end: WalkEnd,
): AsyncGenerator<WalkedEntry> {
  let count = 0;
  const open = [start];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    signal.throwIfAborted();
    // One that cannot be read has nothing for the model.
    const entries = await readdir(join(folder.root, path), { withFileTypes: true }).catch(() => []);
    const below: string[] = [];
    for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
      if (++count > mostEntries) {
        end.isCut = true;
        return;
      }
      const own = path === "." ? entry.name : `${path}/${entry.name}`;
      yield { path: own, isFile: entry.isFile() };
      if (entry.isDirectory() && !skipped.has(entry.name)) below.push(own);
    }
    open.push(...below.toReversed());
  }
}

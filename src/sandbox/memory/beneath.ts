import { closeSync, constants, fstatSync, openSync, type Stats } from "node:fs";
import { closeOnExec, openPath } from "../bubblewrap/descriptors.ts";

/** What a path below a folder leads to, held by a descriptor: it stays the same, whatever becomes of the path. */
export interface Entry {
  readonly descriptor: number;
  readonly stats: Stats;
}

/** The path of what a descriptor holds, which the kernel follows without looking at a name. Linux alone has it. */
export function heldPath(descriptor: number): string {
  return `/proc/self/fd/${descriptor}`;
}

/** An error with a code of the system, as Node's are: commands of the interpreter look at it, or at the first word. */
class SystemError extends Error {
  readonly code: string;

  constructor(code: string, words: string) {
    super(`${code}: ${words}`);
    this.code = code;
  }
}

/** @param code - Such as `ENOENT`. */
export function systemError(code: string, words: string): Error {
  return new SystemError(code, words);
}

/**
 * Does something with what a path leads to. Each name is looked up in the folder that is held, and is not followed if it is a link: no
 * program can lead the way elsewhere, at whatever moment it changes a name. The last name alone may be a link's: the link itself is held.
 * @param folder - A descriptor of the folder that the path starts in.
 * @param names - The names on the way; of the folder itself, none.
 * @throws an error with a code of the system: `ELOOP` for a link on the way.
 */
export function withEntry<T>(folder: number, names: readonly string[], use: (entry: Entry) => T): T {
  let descriptor = hold(heldPath(folder), 0);
  try {
    for (const name of names) {
      assertFolder({ descriptor, stats: fstatSync(descriptor) });
      const next = hold(`${heldPath(descriptor)}/${name}`, constants.O_NOFOLLOW);
      closeSync(descriptor);
      descriptor = next;
    }
    return use({ descriptor, stats: fstatSync(descriptor) });
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Does something with a name in the folder that it is in, by a path of the kernel's. The caller opens it without following a link.
 * @throws as `withEntry` does.
 */
export function withName<T>(folder: number, names: readonly string[], use: (path: string) => T): T {
  const name = names.at(-1);
  if (name === undefined) throw systemError("EBUSY", "the folder itself is held");
  return withEntry(folder, names.slice(0, -1), (entry) => {
    assertFolder(entry);
    return use(`${heldPath(entry.descriptor)}/${name}`);
  });
}

/** @throws an error (`ELOOP`) for a link. */
export function assertNoLink({ stats }: Entry): void {
  if (stats.isSymbolicLink()) throw systemError("ELOOP", "links in a folder are not followed");
}

/** @throws an error (`ELOOP`, `ENOTDIR`) for what is not a folder. */
function assertFolder(entry: Entry): void {
  assertNoLink(entry);
  if (!entry.stats.isDirectory()) throw systemError("ENOTDIR", "not a directory");
}

/** Without a right to read or write it: a pipe does not wait, a device is not touched. */
function hold(path: string, flags: number): number {
  return openSync(path, openPath | closeOnExec | flags);
}

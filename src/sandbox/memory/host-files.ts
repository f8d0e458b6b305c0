import { randomUUID } from "node:crypto";
import {
  closeSync,
  constants,
  fchmodSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
  type Stats,
} from "node:fs";
import { posix } from "node:path";
import { systemCode } from "../../base/util/system-code.ts";
import { assertNoLink, heldPath, systemError, withEntry, withName, type Entry } from "./beneath.ts";

/** Rights that programs may set: none by which a program would get another user's. */
export const rights = 0o777;

/** @throws an error for what is not a file: a pipe or a device could wait for ever. */
function assertFile(stats: Stats): void {
  if (stats.isDirectory()) throw systemError("EISDIR", "illegal operation on a directory");
  if (!stats.isFile()) throw systemError("EACCES", "permission denied: it is not a file");
}

/**
 * Reads a file that is held.
 * @throws an error for what is not a file, and for one that is larger than `largest` bytes.
 */
export function readHeld({ descriptor, stats }: Entry, largest: number): Uint8Array {
  assertFile(stats);
  if (stats.size > largest)
    throw systemError("EFBIG", `file too large (${stats.size} bytes, at most ${largest})`);
  return readFileSync(heldPath(descriptor));
}

/**
 * Writes a file, or the end of one, and makes the folders that lead to it. A file that has more than one name is replaced, not written:
 * another name may be elsewhere.
 * @param largest - Bytes of the largest file that is replaced to write its end.
 */
export function putFile(
  folder: number,
  names: readonly string[],
  bytes: Uint8Array,
  isAppended: boolean,
  largest: number,
): void {
  makeFolders(folder, names.slice(0, -1));
  withName(folder, names, (way) => {
    const isWritten = ifThere(() =>
      withEntry(folder, names, (entry) => {
        assertNoLink(entry);
        assertFile(entry.stats);
        if (entry.stats.nlink > 1) {
          const before = isAppended ? readHeld(entry, largest) : new Uint8Array();
          replace(way, Buffer.concat([before, bytes]), entry.stats.mode);
        } else
          writeInto(heldPath(entry.descriptor), bytes, isAppended ? constants.O_APPEND : constants.O_TRUNC);
        return true;
      }),
    );
    if (!isWritten) writeInto(way, bytes, constants.O_CREAT | constants.O_EXCL);
  });
}

/** Of a file that has more than one name, puts a copy in the place of this one. */
export function separate(folder: number, names: readonly string[], largest: number): void {
  withEntry(folder, names, (entry) => {
    if (!entry.stats.isFile() || entry.stats.nlink === 1) return;
    const bytes = readHeld(entry, largest);
    withName(folder, names, (way) => replace(way, bytes, entry.stats.mode));
  });
}

/** Writes into a file that is held, or one that is not there yet. */
function writeInto(path: string, bytes: Uint8Array, flags: number, mode?: number): void {
  const descriptor = openSync(path, constants.O_WRONLY | flags, 0o666);
  try {
    writeFileSync(descriptor, bytes);
    if (mode !== undefined) fchmodSync(descriptor, mode & rights);
  } finally {
    closeSync(descriptor);
  }
}

/** Puts a new file in the place of one. */
function replace(way: string, bytes: Uint8Array, mode: number): void {
  const part = posix.join(posix.dirname(way), `.skein-${randomUUID()}`);
  try {
    writeInto(part, bytes, constants.O_CREAT | constants.O_EXCL, mode);
    renameSync(part, way);
  } catch (error) {
    ifThere(() => unlinkSync(part));
    throw error;
  }
}

/** Makes the folders on a way that are missing. */
export function makeFolders(folder: number, names: readonly string[]): void {
  for (const [index] of names.entries())
    withName(folder, names.slice(0, index + 1), (way) => {
      try {
        mkdirSync(way);
      } catch (error) {
        if (systemCode(error) !== "EEXIST") throw error;
      }
    });
  withEntry(folder, names, (entry) => {
    assertNoLink(entry);
    if (!entry.stats.isDirectory()) throw systemError("EEXIST", "file already exists");
  });
}

/** Removes a file, a link or a folder, from the folder that it is in: nothing that is removed is reached by a link. */
export function remove(folder: number, names: readonly string[], isRecursive: boolean): void {
  const isFolder = withEntry(folder, names, ({ descriptor, stats }) => {
    if (!stats.isDirectory()) return false;
    if (isRecursive)
      for (const name of readdirSync(heldPath(descriptor))) remove(descriptor, [name], isRecursive);
    return true;
  });
  withName(folder, names, (way) => (isFolder ? rmdirSync(way) : unlinkSync(way)));
}

/** What comes of it; nothing where a file is missing. */
export function ifThere<T>(use: () => T): T | undefined {
  try {
    return use();
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { readLock, writeLock, type Lock } from "./lock.ts";

const lockName = "skein.lock.json";

/** The lock of the working directory: beside the nearest package.json from there upwards, else there. */
export function lockPath(folder: string = process.cwd()): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, "package.json")) || existsSync(join(at, lockName))) return join(at, lockName);
    if (dirname(at) === at) return join(folder, lockName);
  }
}

/** A lock and the text that it was read from. */
export interface ReadLock {
  readonly lock: Lock;
  readonly text: string;
}

/**
 * Reads a lock, if there is one.
 * @param place what it is called in errors.
 * @throws ConfigurationError (`lock-file`) if it cannot be read.
 */
export async function readLockFile(path: string, place: string = path): Promise<ReadLock | undefined> {
  if (!existsSync(path)) return undefined;
  const text = await readFile(path, "utf8");
  return { text, lock: readLock(text, place) };
}

/** The last change of each lock: one reads what the one before has written. */
const changes = new Map<string, Promise<void>>();

/**
 * Changes what a lock holds, or begins one. Changes of one process follow each other.
 * @throws ConfigurationError (`lock-file`) if the lock that is there cannot be read; the system's error.
 */
export async function changeLockFile(
  path: string,
  change: (origins: Lock["origins"]) => Lock["origins"],
): Promise<void> {
  const write = async (): Promise<void> => {
    const before = (await readLockFile(path))?.lock.origins ?? {};
    const draft = `${path}.${randomUUID()}`;
    try {
      await writeFile(draft, writeLock({ lockfileVersion: 1, origins: change(before) }));
      // Whoever reads meanwhile finds all of it, the old or the new.
      await rename(draft, path);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  };
  const mine = (changes.get(path) ?? Promise.resolve()).then(write, write);
  changes.set(path, mine);
  try {
    await mine;
  } finally {
    if (changes.get(path) === mine) changes.delete(path);
  }
}

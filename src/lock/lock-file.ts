import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { changeFile, readText } from "./change-file.ts";
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
  const text = await readText(path);
  return text === undefined ? undefined : { text, lock: readLock(text, place) };
}

/**
 * Changes what a lock holds, or begins one.
 * @throws ConfigurationError (`lock-file`) if the lock that is there cannot be read; the system's error.
 */
export async function changeLockFile(
  path: string,
  change: (origins: Lock["origins"]) => Lock["origins"],
): Promise<void> {
  await changeFile(path, (text) => {
    const before = text === undefined ? {} : readLock(text, path).origins;
    return writeLock({ lockfileVersion: 1, origins: change(before) });
  });
}

import { constants } from "node:fs";
import { lstat, open, realpath, type FileHandle } from "node:fs/promises";
import { join, posix, win32 } from "node:path";
import { isWithin } from "./folders.ts";

/** A folder that files are read in, on behalf of a model, and how errors speak of it. */
export interface ModelFolder {
  /** Its real path. */
  readonly root: string;
  /** What it is: `"skill"`. */
  readonly name: string;
  /** A path in it, such as a model could write. */
  readonly example: string;
  /** The longest file that is read, in bytes. */
  readonly mostBytes: number;
  readonly error: (message: string, cause?: unknown) => Error;
}

/**
 * The real path of a file in a folder.
 * @param path - From the folder on, as a model writes it.
 * @throws the folder's error for a path that is none, leads out of the folder, also by a link, or to nothing.
 */
export async function resolveWithin(folder: ModelFolder, path: string): Promise<string> {
  assertRelative(folder, path);
  let real: string;
  try {
    real = await realpath(join(folder.root, path));
  } catch (error) {
    throw folder.error(`The ${folder.name} has no file ${JSON.stringify(path)}.`, error);
  }
  if (!isWithin(real, folder.root)) throw leadsOut(folder, path);
  return real;
}

/**
 * Reads a file in a folder.
 * @throws the folder's error as `resolveWithin` does, and for what is not a file, or too long.
 */
export async function readBytesWithin(folder: ModelFolder, path: string): Promise<Uint8Array> {
  return readBytes(folder, await resolveWithin(folder, path), path);
}

/**
 * Reads a text file in a folder.
 * @throws the folder's error as `readBytesWithin` does, and for what is not a text.
 */
export async function readTextWithin(folder: ModelFolder, path: string): Promise<string> {
  const bytes = await readBytesWithin(folder, path);
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    if (!text.includes("\0")) return text;
  } catch {
    // It is reported below.
  }
  throw folder.error(`${path} is not a text file. It has ${bytes.length} bytes.`);
}

/** @throws the folder's error for a path that does not begin in it, or leads out of it. */
export function assertRelative(folder: ModelFolder, path: string): void {
  const isBad = path === "" || path.includes("\0") || path.includes("\\");
  if (isBad || posix.isAbsolute(path) || win32.isAbsolute(path))
    throw folder.error(
      `${JSON.stringify(path)} is not a path within the ${folder.name}. Write it from the ${folder.name}'s folder on, such as ${folder.example}.`,
    );
  if (path.split("/").includes("..")) throw leadsOut(folder, path);
}

/** The error for a path that leads out of a folder. */
export function leadsOut({ name, error }: ModelFolder, path: string): Error {
  return error(`${JSON.stringify(path)} leads out of the ${name}'s folder.`);
}

async function readBytes(folder: ModelFolder, real: string, path: string): Promise<Uint8Array> {
  // A pipe would wait for somebody to write.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const handle = await open(real, flags).catch((error: unknown) => {
    throw folder.error(`${path} cannot be read.`, error);
  });
  try {
    const { size } = await checkedStats(handle, folder, real, path);
    const buffer = Buffer.alloc(size);
    let length = 0;
    while (length < size) {
      const { bytesRead } = await handle.read(buffer, length, size - length, length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return buffer.subarray(0, length);
  } finally {
    await handle.close();
  }
}

/** A folder on the way may have become a link since the path was resolved: what was opened must be what stands there, within the folder. */
async function checkedStats(
  handle: FileHandle,
  folder: ModelFolder,
  real: string,
  path: string,
): Promise<{ readonly size: number }> {
  const stats = await handle.stat();
  if (!stats.isFile()) throw folder.error(`${path} is not a file.`);
  const [now, there] = await Promise.all([realpath(real), lstat(real)]).catch((error: unknown) => {
    throw folder.error(`${path} cannot be read.`, error);
  });
  if (now !== real || !isWithin(now, folder.root) || there.ino !== stats.ino || there.dev !== stats.dev)
    throw leadsOut(folder, path);
  if (stats.size > folder.mostBytes)
    throw folder.error(`${path} has ${stats.size} bytes. At most ${folder.mostBytes} can be read.`);
  return stats;
}

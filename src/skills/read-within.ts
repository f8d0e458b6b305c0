import { constants } from "node:fs";
import { lstat, open, realpath, type FileHandle } from "node:fs/promises";
import { join, posix, win32 } from "node:path";
import { isWithin } from "../sandbox/folders.ts";
import { SkillError } from "./errors.ts";

/** The longest file that is read, in bytes. */
const mostBytes = 1_000_000;

/**
 * The real path of a file of a skill.
 * @param root - The real path of the skill's folder.
 * @param path - From there on, as a model writes it.
 * @throws SkillError for a path that is none, leads out of the folder, also by a link, or to nothing.
 */
export async function resolveWithin(root: string, path: string): Promise<string> {
  assertRelative(path);
  let real: string;
  try {
    real = await realpath(join(root, path));
  } catch (error) {
    throw new SkillError(`The skill has no file ${JSON.stringify(path)}.`, error);
  }
  if (!isWithin(real, root)) throw leadsOut(path);
  return real;
}

/**
 * Reads a text file of a skill.
 * @throws SkillError as `resolveWithin` does, and for what is not a text file of at most a megabyte.
 */
export async function readTextWithin(root: string, path: string): Promise<string> {
  const real = await resolveWithin(root, path);
  const bytes = await readBytes(root, real, path);
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    if (!text.includes("\0")) return text;
  } catch {
    // It is reported below.
  }
  throw new SkillError(`${path} is not a text file. It has ${bytes.length} bytes.`);
}

function assertRelative(path: string): void {
  const isBad = path === "" || path.includes("\0") || path.includes("\\");
  if (isBad || posix.isAbsolute(path) || win32.isAbsolute(path))
    throw new SkillError(
      `${JSON.stringify(path)} is not a path within the skill. Write it from the skill's folder on, such as references/guide.md.`,
    );
  if (path.split("/").includes("..")) throw leadsOut(path);
}

function leadsOut(path: string): SkillError {
  return new SkillError(`${JSON.stringify(path)} leads out of the skill's folder.`);
}

async function readBytes(root: string, real: string, path: string): Promise<Uint8Array> {
  // A pipe would wait for somebody to write.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const handle = await open(real, flags).catch((error: unknown) => {
    throw new SkillError(`${path} cannot be read.`, error);
  });
  try {
    const { size } = await checkedStats(handle, root, real, path);
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

/** A folder on the way may have become a link since the path was resolved: what was opened must be what stands there, within the skill. */
async function checkedStats(
  handle: FileHandle,
  root: string,
  real: string,
  path: string,
): Promise<{ readonly size: number }> {
  const stats = await handle.stat();
  if (!stats.isFile()) throw new SkillError(`${path} is not a file.`);
  const [now, there] = await Promise.all([realpath(real), lstat(real)]).catch((error: unknown) => {
    throw new SkillError(`${path} cannot be read.`, error);
  });
  if (now !== real || !isWithin(now, root) || there.ino !== stats.ino || there.dev !== stats.dev)
    throw leadsOut(path);
  if (stats.size > mostBytes)
    throw new SkillError(`${path} has ${stats.size} bytes. At most ${mostBytes} can be read.`);
  return stats;
}

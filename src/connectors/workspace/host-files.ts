import { randomUUID } from "node:crypto";
import { lstat, mkdir, open, realpath, rename, rm } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { SkeinError } from "../../errors.ts";
import { ignoreFailure } from "../../base/util/ignore-failure.ts";
import { systemCode } from "../../base/util/system-code.ts";
import { isWithin } from "../../sandbox/folders.ts";
import { assertInput } from "../../sandbox/kit.ts";
import { leadsOut, type ModelFolder, readBytesWithin } from "../../sandbox/read-within.ts";
import { assertWritable } from "./folder.ts";
import { findHostFiles } from "./host-glob.ts";
import { searchHostFiles } from "./host-grep.ts";
import type { WorkspaceFiles } from "./workspace-files.ts";

/** Who may read and write a new file, before the process's own mask. */
const usualMode = 0o666;

/** The files of a folder, without a box: no path and no link leads out of it. */
export function hostFiles(folder: ModelFolder): WorkspaceFiles {
  return {
    read: (path) => readBytesWithin(folder, path),
    exists: (path) =>
      exists(join(folder.root, path)).catch((error: unknown) => notWritten(folder, path, error)),
    write: (path, text) =>
      write(folder, path, text).catch((error: unknown) => notWritten(folder, path, error)),
    find: (patterns, signal) => findHostFiles(folder, patterns, signal),
    search: (request, signal) => searchHostFiles(folder, request, signal),
  };
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** The system's own words name paths outside of the folder. */
function notWritten(folder: ModelFolder, path: string, error: unknown): never {
  if (error instanceof SkeinError) throw error;
  throw folder.error(`${path} cannot be written: ${systemCode(error) ?? "it failed"}.`, error);
}

/** Puts a new file in the place of the old one: a failure leaves what was there. */
async function write(folder: ModelFolder, path: string, text: string): Promise<void> {
  assertInput(text);
  const target = await targetOf(folder, path);
  assertWritable(relative(folder.root, target));
  const parent = dirname(target);
  await mkdir(parent, { recursive: true });
  const stats = (await exists(target)) ? await lstat(target) : undefined;
  if (stats && !stats.isFile()) throw folder.error(`${path} is not a file.`);
  const draft = join(parent, `.skein-${randomUUID()}`);
  try {
    const handle = await open(draft, "wx", stats ? stats.mode & 0o777 : usualMode);
    try {
      // The mask of the process does not count for a file that is replaced.
      if (stats) await handle.chmod(stats.mode & 0o777);
      await handle.writeFile(text);
    } finally {
      await handle.close();
    }
    // A folder on the way may have become a link since the path was resolved.
    if ((await realpath(parent)) !== parent) throw leadsOut(folder, path);
    await rename(draft, target);
  } catch (error) {
    await ignoreFailure(() => rm(draft, { force: true }));
    throw error;
  }
}

/**
 * Where a file is, or is to be, by its real path.
 * @throws WorkspaceError for one that a link leads out of the folder, or to nothing.
 */
async function targetOf(folder: ModelFolder, path: string): Promise<string> {
  const place = join(folder.root, path);
  if (await exists(place)) {
    const real = await realpath(place).catch((error: unknown) => {
      throw folder.error(`${path} is a link to nothing.`, error);
    });
    if (!isWithin(real, folder.root)) throw leadsOut(folder, path);
    return real;
  }
  const parent = dirname(place);
  if (place === folder.root || !isWithin(parent, folder.root)) throw leadsOut(folder, path);
  if (parent === folder.root) return place;
  return join(await targetOf(folder, relative(folder.root, parent)), basename(place));
}

function isMissing(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR"].includes(systemCode(error) ?? "");
}

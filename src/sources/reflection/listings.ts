import { readdirSync, statSync, type Dirent } from "node:fs";
import { dirname, join } from "node:path";
import { hashOf } from "./hash.ts";

/**
 * The folders in which a new file may change what the types of files mean: it may be what an import names from then on, or
 * declare something globally. Packages change with their manifests.
 */
export function decidingFolders(files: Iterable<string>, included: Iterable<string>): ReadonlySet<string> {
  const own = [...files].filter((file) => !file.includes("/node_modules/")).map((file) => dirname(file));
  return new Set([...own, ...included]);
}

/** A hash of the modules and folders that a folder holds; `undefined` for one that is gone. */
export function listingOf(folder: string): string | undefined {
  const entries = readFolder(folder);
  return entries && hashOf(JSON.stringify(entries.map(({ name }) => name).toSorted()));
}

/** Whether a module or folder was added to a folder since `time` (milliseconds since 1970), or may have been. */
export function hasAdditionAfter(folder: string, time: number): boolean {
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (stats === undefined) return true;
  if (stats.ctimeMs <= time) return false;
  return (readFolder(folder) ?? []).some((entry) => {
    const added = statSync(join(folder, entry.name), { throwIfNoEntry: false });
    // A folder changes with what is written into it.
    return added === undefined || (entry.isDirectory() ? added.birthtimeMs : added.ctimeMs) > time;
  });
}

function readFolder(folder: string): readonly Dirent[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true }).filter(isDeciding);
  } catch {
    return undefined;
  }
}

function isDeciding(entry: Dirent): boolean {
  return entry.isDirectory()
    ? entry.name !== "node_modules" && !entry.name.startsWith(".")
    : /\.(?:[cm]?[jt]sx?|json)$/.test(entry.name);
}

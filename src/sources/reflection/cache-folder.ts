import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** What the cache may take: megabytes, and files. */
const most = { bytes: 32_000_000, files: 1000 };

/** The path of the nearest file or folder of that name, in `folder` or above. */
export function nearestAbove(folder: string, name: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const path = join(at, name);
    if (existsSync(path)) return path;
    if (dirname(at) === at) return undefined;
  }
}

/** Where the schemas of files in `folder` are kept: beside the packages they use, else among temporary files. */
export function cacheFolder(folder: string): string {
  const packages = nearestAbove(folder, "node_modules");
  if (packages !== undefined) return join(packages, ".cache", "skein");
  return join(tmpdir(), `skein-cache-${process.getuid?.() ?? ""}`);
}

/** Makes a cache folder. Throws where that cannot be, or where it belongs to somebody else. */
export function makeFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (!isOwn(folder)) throw new Error(`${folder} belongs to another user`);
}

/** Whether a folder is this user's: what others wrote among temporary files is not to be trusted. */
export function isOwn(folder: string): boolean {
  if (!folder.startsWith(tmpdir())) return true;
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  return (
    stats !== undefined &&
    stats.isDirectory() &&
    (process.getuid === undefined || stats.uid === process.getuid())
  );
}

/** Removes the oldest files of a folder that holds too many. */
export function tidyFolder(folder: string): void {
  const files = readdirSync(folder)
    .map((name) => join(folder, name))
    .flatMap((path) => {
      const stats = statSync(path, { throwIfNoEntry: false });
      return stats === undefined ? [] : [{ path, bytes: stats.size, changedAt: stats.mtimeMs }];
    })
    .toSorted((left, right) => right.changedAt - left.changedAt);
  let bytes = 0;
  for (const [index, file] of files.entries()) {
    bytes += file.bytes;
    if (index >= most.files || bytes > most.bytes) rmSync(file.path, { force: true });
  }
}

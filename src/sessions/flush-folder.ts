import { ignoreFailure } from "../base/util/ignore-failure.ts";
import { builtin } from "./builtin.ts";

/** Windows does not open folders, and some file systems do not flush them. */
const refusals: ReadonlySet<unknown> = new Set([
  "EACCES",
  "EBADF",
  "EINVAL",
  "EISDIR",
  "ENOSYS",
  "ENOTSUP",
  "EPERM",
]);

/**
 * Writes to the disk what folders list: a new file survives a power failure only if the entry with its name does.
 * @param folder - The folder of the new file.
 * @param created - The first folder above the file that is new as well, if one is.
 */
export async function flushFolders(folder: string, created: string | undefined): Promise<void> {
  const path = builtin("node:path", "fileSession");
  const last = created === undefined ? folder : path.dirname(created);
  for (let each = folder; ; each = path.dirname(each)) {
    await flushFolder(each);
    if (each === last || each === path.dirname(each)) return;
  }
}

async function flushFolder(folder: string): Promise<void> {
  const { promises } = builtin("node:fs", "fileSession");
  try {
    const handle = await promises.open(folder, "r");
    try {
      await handle.sync();
    } finally {
      await ignoreFailure(() => handle.close());
    }
  } catch (error) {
    if (!(error instanceof Error && "code" in error && refusals.has(error.code))) throw error;
  }
}

import { digest } from "../../../base/util/digest.ts";
import { Semaphore } from "../../../base/util/semaphore.ts";
import { systemCode } from "../../../base/util/system-code.ts";
import { builtin } from "../../../sessions/builtin.ts";
import {
  inTransaction,
  openDatabase,
  releaseDatabase,
  whenUnlocked,
} from "../../../sessions/sqlite-database.ts";
import { MemoryError } from "./errors.ts";
import type { MemoryChange, MemoryFile, MemoryStore } from "./memory-store.ts";
import { rootPath } from "./paths.ts";

const user = "memory({ folder })";

/** The file that processes take turns by: SQLite lets go of it whatever becomes of a process. No path of a model leads to it. */
const turnsFile = ".turns.db";

/** Of a file that a person has put there. */
const largestFile = 1_000_000;

/**
 * Memories as files of a folder, in UTF-8, for people to read and to keep under version control. With an `owner`, each has a folder in it.
 * @param root - The folder, which is created. Its links are not followed.
 */
export function folderMemory(root: string): MemoryStore {
  const turns = new Semaphore(1);
  /** Nobody else changes files meanwhile, of this process or another. */
  const alone = <T>(work: () => T): Promise<T> =>
    turns.run(() =>
      whenUnlocked(() => {
        const { fs, path } = modules();
        fs.mkdirSync(root, { recursive: true, mode: 0o700 });
        const file = path.join(root, turnsFile);
        const database = openDatabase(file, "normal");
        try {
          return inTransaction(database, work);
        } finally {
          releaseDatabase(file);
        }
      }),
    );
  // No path of a model has such a name: a memory of all runs and those of owners may share a folder.
  const folderOf = async (owner: string): Promise<string> => {
    assertFolder(root);
    return owner === "" ? root : modules().path.join(root, `.${await digest(owner)}`);
  };
  return {
    async list(owner) {
      const own = await folderOf(owner);
      return listFiles(own, rootPath);
    },
    async read(owner, path) {
      return readText(await folderOf(owner), path);
    },
    async change(owner, changes) {
      const own = await folderOf(owner);
      return alone(() => applyChanges(own, changes));
    },
  };
}

interface Modules {
  readonly fs: ReturnType<typeof builtin<"node:fs">>;
  readonly path: ReturnType<typeof builtin<"node:path">>;
}

function modules(): Modules {
  return { fs: builtin("node:fs", user), path: builtin("node:path", user) };
}

/** @throws MemoryError where a file has the place of the folder: an empty memory would be a guess. */
function assertFolder(root: string): void {
  const stats = orMissing(() => modules().fs.statSync(root));
  if (stats && !stats.isDirectory())
    throw new MemoryError(
      "The memory cannot be used: its place is a file, not a folder. Continue without it.",
    );
}

/** Where a file is. Paths are checked: no name in them leads elsewhere. */
function fileAt(own: string, path: string): string {
  return modules().path.join(own, ...path.slice(rootPath.length + 1).split("/"));
}

/** All files below a folder; links, and what begins with a dot, are none. */
function listFiles(folder: string, path: string): readonly MemoryFile[] {
  const { fs } = modules();
  return entriesOf(folder).flatMap((entry): readonly MemoryFile[] => {
    if (entry.name.startsWith(".")) return [];
    const below = modules().path.join(folder, entry.name);
    if (entry.isDirectory()) return listFiles(below, `${path}/${entry.name}`);
    const bytes = entry.isFile() ? fs.statSync(below, { throwIfNoEntry: false })?.size : undefined;
    return bytes === undefined ? [] : [{ path: `${path}/${entry.name}`, bytes }];
  });
}

type Entries = readonly { readonly name: string; isFile(): boolean; isDirectory(): boolean }[];

function entriesOf(folder: string): Entries {
  return orMissing(() => modules().fs.readdirSync(folder, { withFileTypes: true })) ?? [];
}

/** @throws MemoryError for what is not a text, and for what is reached by a link. */
function readText(own: string, path: string): string | undefined {
  const { fs } = modules();
  assertNoLink(own, path);
  const file = fileAt(own, path);
  const stats = orMissing(() => fs.lstatSync(file));
  if (!stats?.isFile()) return undefined;
  if (stats.size > largestFile)
    throw new MemoryError(`${path} has ${stats.size} bytes. At most ${largestFile} can be read.`);
  const bytes = orMissing(() => fs.readFileSync(file));
  try {
    return bytes && new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new MemoryError(`${path} is not a text.`, error);
  }
}

/** A link may lead anywhere: a person, or a repository of others, has put it there. */
function assertNoLink(own: string, path: string): void {
  const { fs, path: paths } = modules();
  let place = own;
  for (const name of path.slice(rootPath.length + 1).split("/")) {
    place = paths.join(place, name);
    const stats = orMissing(() => fs.lstatSync(place));
    if (stats?.isSymbolicLink())
      throw new MemoryError(`${path} is reached by a link, which memories do not follow.`);
  }
}

/** All texts are there before the first file is replaced. */
function applyChanges(own: string, changes: readonly MemoryChange[]): boolean {
  const { fs, path } = modules();
  const files = changes.map((change) => ({ ...change, file: fileAt(own, change.path) }));
  if (changes.some((change) => readText(own, change.path) !== change.before)) return false;
  for (const { file, after } of files)
    if (after !== undefined) fs.mkdirSync(path.dirname(file), { recursive: true });
  const drafts = files.flatMap(({ file, after }) => {
    if (after === undefined) return [];
    const draft = path.join(path.dirname(file), `.${crypto.randomUUID()}`);
    fs.writeFileSync(draft, after, { mode: 0o600, flag: "wx" });
    return [{ draft, file }];
  });
  for (const { draft, file } of drafts) fs.renameSync(draft, file);
  for (const { file, after } of files) if (after === undefined) removeFile(own, file);
  return true;
}

/** Removes a file, and the folders that are empty without it. */
function removeFile(own: string, file: string): void {
  const { fs, path } = modules();
  fs.rmSync(file, { force: true });
  for (
    let folder = path.dirname(file);
    folder !== own && folder.startsWith(own);
    folder = path.dirname(folder)
  ) {
    if (entriesOf(folder).length > 0) return;
    fs.rmdirSync(folder);
  }
}

/** What there is; `undefined` for what is not there. */
function orMissing<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(systemCode(error) ?? "")) return undefined;
    throw error;
  }
}

import type * as JustBash from "just-bash";
import type { TierOptions } from "../types.ts";
import { HostFolder } from "./host-folder.ts";
import type { MemoryEntry } from "./messages.ts";

/** The package, as it is loaded. */
export type Interpreter = typeof JustBash;

/** Files of a sandbox: those of its folders are where they are, all others are in memory. */
export interface MemoryFiles {
  readonly all: JustBash.IFileSystem;
  /** Sets the descriptors of the folders, in their order, for a call. */
  holdFolders(descriptors: readonly number[]): void;
  /** Everything in memory, to begin with it again. */
  snapshot(): Promise<MemoryEntry[]>;
}

const megabyte = 1_048_576;

/** Lays out the files of a sandbox. Those of folders can be used once the folders are held. */
export async function layOutFiles(
  { MountableFs, InMemoryFs }: Interpreter,
  { folders, cwd, memoryMb, fileMb }: TierOptions,
  entries: readonly MemoryEntry[],
): Promise<MemoryFiles> {
  const largest = Math.floor(fileMb * megabyte);
  const memory = new InMemoryFs({}, { maxTotalBytes: Math.floor(memoryMb * megabyte) });
  const assertSize = (path: string, size: number): void => {
    if (size > largest) throw new Error(`EFBIG: file too large, write '${path}'`);
  };
  const sizeOf = (content: string | Uint8Array): number =>
    typeof content === "string" ? Buffer.byteLength(content) : content.length;

  /** No file grows over the limit. */
  class BoundedFs extends MountableFs {
    override async writeFile(...args: Parameters<JustBash.IFileSystem["writeFile"]>): Promise<void> {
      assertSize(args[0], sizeOf(args[1]));
      await super.writeFile(...args);
    }
    override async appendFile(...args: Parameters<JustBash.IFileSystem["appendFile"]>): Promise<void> {
      const before = await super.stat(args[0]).catch(() => undefined);
      assertSize(args[0], (before?.size ?? 0) + sizeOf(args[1]));
      await super.appendFile(...args);
    }
  }

  await restore(memory, entries);
  await memory.mkdir("/tmp", { recursive: true });
  const all = new BoundedFs({ base: memory });
  const hosts = folders.map(({ target, isWritable }) => {
    const folder = new HostFolder({ target, isWritable, largest });
    all.mount(target, folder);
    return folder;
  });
  await memory.mkdir(cwd, { recursive: true });
  return {
    all,
    holdFolders: (descriptors) => {
      for (const [index, folder] of hosts.entries()) folder.hold(descriptors[index]);
    },
    snapshot: () => snapshotOf(memory),
  };
}

async function restore(memory: JustBash.InMemoryFs, entries: readonly MemoryEntry[]): Promise<void> {
  for (const { path, mode, content } of entries) {
    if (content === undefined) await memory.mkdir(path, { recursive: true });
    else if (typeof content === "string") await memory.symlink(content, path);
    else memory.writeFileSync(path, content, undefined, { mode });
  }
}

async function snapshotOf(memory: JustBash.InMemoryFs): Promise<MemoryEntry[]> {
  // A folder comes before what is in it.
  const paths = memory.getAllPaths().toSorted();
  return Promise.all(
    paths.map(async (path) => {
      const { mode, isSymbolicLink, isDirectory } = await memory.lstat(path);
      if (isDirectory) return { path, mode, content: undefined };
      return {
        path,
        mode,
        content: await (isSymbolicLink ? memory.readlink(path) : memory.readFileBuffer(path)),
      };
    }),
  );
}

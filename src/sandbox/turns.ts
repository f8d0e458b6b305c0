import { realpathSync } from "node:fs";
import { unlessAborted } from "../base/util/unless-aborted.ts";
import { isWithin } from "./folders.ts";
import type { SandboxFolder } from "./types.ts";

/** A change of files that goes on, or waits for its turn. */
interface Change {
  /** Whose it is. */
  readonly owner: object;
  /** The real paths of folders, in any of which the files may be. */
  readonly folders: readonly string[];
  /** Resolves when the change has ended. */
  readonly end: Promise<void>;
}

/** All of this process, in the order in which they came. */
const changes = new Set<Change>();

/** Does something once nothing else in this process does so for the same files. */
export type Turns = <T>(change: () => Promise<T>, signal: AbortSignal) => Promise<T>;

/**
 * Turns with all changes of this process in the same folders, or in some within them or around them, under whatever path.
 * @param folders - Without one, the changes take turns among themselves.
 */
export function turnsIn(folders: readonly string[]): Turns {
  const owner = {};
  return async (change, signal) => {
    const { promise: end, resolve } = Promise.withResolvers<void>();
    const own = { owner, folders: folders.map(realOrNamed), end };
    const earlier = [...changes].filter((other) => mayMeet(own, other));
    changes.add(own);
    try {
      await unlessAborted(Promise.all(earlier.map((other) => other.end)), signal);
      return await change();
    } finally {
      changes.delete(own);
      resolve();
    }
  };
}

/** The paths outside of what programs may write. */
export function writableIn(folders: readonly SandboxFolder[]): readonly string[] {
  return folders.filter(({ isWritable }) => isWritable).map(({ source }) => source);
}

function mayMeet(one: Change, other: Change): boolean {
  if (one.owner === other.owner) return true;
  return one.folders.some((folder) =>
    other.folders.some((another) => isWithin(folder, another) || isWithin(another, folder)),
  );
}

/** A tier of one's own may have its folders on another machine. */
function realOrNamed(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}

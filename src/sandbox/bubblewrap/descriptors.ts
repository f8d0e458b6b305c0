import { closeSync, constants, openSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { cannotOpen, checkedPlace, noteWritable, replaced } from "../folders.ts";
import type { SandboxFolder } from "../types.ts";

/** Opens a path without a right to read or write it: to mount it. Node has no name for it. */
export const openPath = 0o10000000;
/** Closes a descriptor in programs that are started. */
export const closeOnExec = 0o2000000;

/**
 * Opens folders for a box: one descriptor a folder, which the caller closes. What is mounted is what was opened, and that is what its
 * path led to at first: a program that may write a folder above cannot have put a link in its place.
 * @throws ConfigurationError for one that is not there; SandboxError for one that is another now.
 */
export function openFolders(folders: readonly SandboxFolder[]): readonly number[] {
  noteWritable(folders);
  const descriptors: number[] = [];
  try {
    for (const { source } of folders) {
      const descriptor = openFolder(source);
      descriptors.push(descriptor);
      if (readlinkSync(`/proc/self/fd/${descriptor}`) !== checkedPlace(source)) throw replaced(source);
    }
  } catch (error) {
    for (const descriptor of descriptors) closeSync(descriptor);
    throw error;
  }
  return descriptors;
}

function openFolder(source: string): number {
  try {
    return openSync(source, openPath | closeOnExec);
  } catch (error) {
    throw cannotOpen(source, error);
  }
}

/**
 * Descriptors that a child would get although nothing passes them: those that whatever started this process left open.
 */
export function inheritedDescriptors(): readonly number[] {
  return readdirSync("/proc/self/fd")
    .map(Number)
    .filter((descriptor) => descriptor > 2 && !isClosedOnExec(descriptor));
}

function isClosedOnExec(descriptor: number): boolean {
  try {
    const flags = /^flags:\s+(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, "utf8"))?.[1];
    return (Number.parseInt(flags ?? "0", 8) & closeOnExec) !== 0;
  } catch {
    // The one by which the folder was listed is gone.
    return true;
  }
}

/** What takes the place of a descriptor. */
export function openNothing(): number {
  return openSync("/dev/null", constants.O_RDONLY);
}

import {
  closeSync,
  constants,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
} from "node:fs";
import { cannotOpen, replaced } from "../folders.ts";
import type { SandboxFolder } from "../types.ts";

/** Opens a path without a right to read or write it: to mount it. Node has no name for it. */
const openPath = 0o10000000;
const closeOnExec = 0o2000000;

/**
 * Opens folders for a box. What is mounted is what was opened, and that is what its path led to at first: a program that may write a
 * folder above cannot have put a link in its place.
 */
export class Folders {
  readonly #folders: readonly SandboxFolder[];
  /** Where each of them really is, as it was at the first use. */
  readonly #places = new Map<string, string>();

  constructor(folders: readonly SandboxFolder[]) {
    this.#folders = folders;
  }

  /**
   * One descriptor a folder, which the caller closes.
   * @throws ConfigurationError for one that is not there; SandboxError for one that is another now.
   */
  open(): readonly number[] {
    const descriptors: number[] = [];
    try {
      for (const { source } of this.#folders) descriptors.push(this.#openOne(source, descriptors));
    } catch (error) {
      for (const descriptor of descriptors) closeSync(descriptor);
      throw error;
    }
    return descriptors;
  }

  #openOne(source: string, opened: number[]): number {
    const descriptor = openFolder(source);
    const place = readlinkSync(`/proc/self/fd/${descriptor}`);
    const expected = this.#places.get(source) ?? realpathSync(source);
    if (place !== expected) {
      opened.push(descriptor);
      throw replaced(source);
    }
    this.#places.set(source, place);
    return descriptor;
  }
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

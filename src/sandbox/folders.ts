import { lstatSync, readlinkSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { invalidOption } from "../base/options/known-options.ts";
import { errorMessage } from "../base/util/error-message.ts";
import { SandboxError } from "./errors.ts";
import type { SandboxFolder, TierName } from "./types.ts";

/**
 * Where folders really are that some sandbox of this process may write, or might have written. They stay: so do the links that a program
 * has left in them.
 */
const writable = new Set<string>();

/** Where each named path really was at its first use, whichever sandbox used it. */
const places = new Map<string, string>();

/** Links on the way to a path, at most: as many as Linux follows. */
const mostLinks = 40;

/**
 * Notes which folders programs may write: no link in them leads a sandbox anywhere from then on.
 * A folder that is not there yet is noted at its first use.
 */
export function noteWritable(folders: readonly SandboxFolder[]): void {
  for (const { source, isWritable } of folders) {
    if (!isWritable) continue;
    try {
      writable.add(placeOf(source));
    } catch {
      // The call that uses it gets the error.
    }
  }
}

/**
 * Checks that folders are still where they were at their first use, and that no program could have said where that is: one that may write
 * a folder above could have put a link in their place.
 * @throws ConfigurationError for one that is not there; SandboxError for one that is another now.
 */
export function assertInPlace(folders: readonly SandboxFolder[]): void {
  noteWritable(folders);
  for (const { source } of folders) checkedPlace(source);
}

/**
 * Where a named path really is, without links.
 * @throws ConfigurationError for one that is not there; SandboxError for one that is another now.
 */
export function checkedPlace(source: string): string {
  const place = placeOf(source);
  if (place !== (places.get(source) ?? place)) throw replaced(source);
  places.set(source, place);
  return place;
}

/** The error for a folder that another program has replaced. */
export function replaced(source: string): SandboxError {
  return new SandboxError(`${source} is not the folder that it was: something else is in its place.`);
}

/** Follows a path as the kernel does, but no link that a program in a sandbox could have made. */
function placeOf(source: string): string {
  let place = "/";
  let links = 0;
  const names = source.split("/");
  for (let name = names.shift(); name !== undefined; name = names.shift()) {
    const next = resolve(place, name);
    const target = linkAt(next, source);
    if (target === undefined) {
      place = next;
      continue;
    }
    if (isInWritable(place)) throw linked(source, next);
    if (++links > mostLinks) throw cannotOpen(source, "there are too many links on the way");
    if (target.startsWith("/")) place = "/";
    names.unshift(...target.split("/"));
  }
  return place;
}

/** What a link holds; nothing of what is none. */
function linkAt(path: string, source: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined;
  } catch (error) {
    throw cannotOpen(source, error);
  }
}

function isInWritable(folder: string): boolean {
  return writable.has(folder) || (folder !== "/" && isInWritable(dirname(folder)));
}

function linked(source: string, link: string): SandboxError {
  const way = link === source ? "is a link now" : `is reached by the link ${link} now`;
  return new SandboxError(
    `${source} ${way}, in a folder that programs may write: one of them may have made it, so it is not followed. ` +
      "Put a folder in its place, or name what it leads to.",
  );
}

/** The error for a folder that is not there. */
export function cannotOpen(source: string, error: unknown): Error {
  return invalidOption(`The sandbox cannot open ${source}: ${errorMessage(error)}.`, { option: "read" });
}

/**
 * Folders in the order in which they are mounted: what is within another comes after it. What programs may write already, as a part of
 * a folder, is left out: it would be a second way to the same files.
 */
export function inMountOrder(folders: readonly SandboxFolder[]): readonly SandboxFolder[] {
  const sorted = folders.toSorted((one, other) => one.target.length - other.target.length);
  return sorted.filter((folder, index) => !sorted.slice(0, index).some((outer) => isPart(folder, outer)));
}

function isPart(folder: SandboxFolder, outer: SandboxFolder): boolean {
  if (!outer.isWritable || !isWithin(folder.source, outer.source)) return false;
  return folder.target === join(outer.target, relative(outer.source, folder.source));
}

/** Whether a path leads to a folder or into it, both absolute and without links. */
export function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === "" || (way.split("/", 1)[0] !== ".." && !isAbsolute(way));
}

/**
 * For tiers that cannot mount a folder to write within one to read.
 * @throws ConfigurationError (`invalid-option`) for such a folder.
 */
export function assertNotNested(folders: readonly SandboxFolder[], via: TierName): void {
  const inner = folders.find(
    ({ source, isWritable }) =>
      isWritable && folders.some((outer) => !outer.isWritable && isWithin(source, outer.source)),
  );
  if (inner)
    throw invalidOption(
      `write names ${inner.source}, in a folder to read, which via: "${via}" cannot have. Name folders to read beside it.`,
      { option: "write" },
    );
}

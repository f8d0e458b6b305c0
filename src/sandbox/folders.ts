import { realpathSync } from "node:fs";
import { invalidOption } from "../base/options/known-options.ts";
import { errorMessage } from "../base/util/error-message.ts";
import { SandboxError } from "./errors.ts";
import type { SandboxFolder } from "./types.ts";

/**
 * Checks that folders are still where they were at the first use: a program that may write a folder above could have put a link in
 * their place.
 * @param places - Where each of them really is, which this fills.
 * @throws ConfigurationError for one that is not there; SandboxError for one that is another now.
 */
export function assertInPlace(folders: readonly SandboxFolder[], places: Map<string, string>): void {
  for (const { source } of folders) {
    const place = realPath(source);
    if (place !== (places.get(source) ?? place)) throw replaced(source);
    places.set(source, place);
  }
}

/** The error for a folder that another program has replaced. */
export function replaced(source: string): SandboxError {
  return new SandboxError(`${source} is not the folder that it was: something else is in its place.`);
}

function realPath(source: string): string {
  try {
    return realpathSync(source);
  } catch (error) {
    throw cannotOpen(source, error);
  }
}

/** The error for a folder that is not there. */
export function cannotOpen(source: string, error: unknown): Error {
  return invalidOption(`The sandbox cannot open ${source}: ${errorMessage(error)}.`, { option: "read" });
}

import * as within from "../sandbox/read-within.ts";
import { SkillError } from "./errors.ts";

/** The longest file that is read, in bytes. */
const mostBytes = 1_000_000;

/**
 * The real path of a file of a skill.
 * @param root - The real path of the skill's folder.
 * @param path - From there on, as a model writes it.
 * @throws SkillError for a path that is none, leads out of the folder, also by a link, or to nothing.
 */
export function resolveWithin(root: string, path: string): Promise<string> {
  return within.resolveWithin(folderOf(root), path);
}

/**
 * Reads a text file of a skill.
 * @throws SkillError as `resolveWithin` does, and for what is not a text file of at most a megabyte.
 */
export function readTextWithin(root: string, path: string): Promise<string> {
  return within.readTextWithin(folderOf(root), path);
}

function folderOf(root: string): within.ModelFolder {
  return {
    root,
    name: "skill",
    example: "references/guide.md",
    mostBytes,
    error: (message, cause) => new SkillError(message, cause),
  };
}

import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { ConfigurationError } from "../errors.ts";
import { errorMessage } from "../base/util/error-message.ts";

/** Folders that hold neither skills nor files of them. */
const ignored = new Set([".git", "node_modules", "__pycache__"]);

/** How deep skills are looked for, and in how many folders. */
const deepest = 6;
const mostFolders = 2_000;

/** How many files of a skill are noted, and how deep. */
const deepestFile = 10;
const mostFiles = 1_000;

/** A folder that has a `SKILL.md`. */
export interface SkillFolder {
  readonly folder: string;
  /** The file's name: some write it small. */
  readonly manifestFile: string;
}

/** The folders of skills below a folder, or that folder itself. */
export interface FoundFolders {
  readonly folders: readonly SkillFolder[];
  readonly warnings: readonly string[];
}

/**
 * Finds the skills of a folder, in the order of their paths. What lies in a skill is part of it, and links are not followed.
 * @throws ConfigurationError (`skills-folder`) for a folder that cannot be read, or is far too large.
 */
export async function findFolders(root: string): Promise<FoundFolders> {
  const folders: SkillFolder[] = [];
  const warnings: string[] = [];
  const open: { readonly folder: string; readonly depth: number }[] = [{ folder: root, depth: 0 }];
  for (const { folder, depth } of open) {
    const entries = await entriesOf(folder);
    const manifestFile = manifestIn(entries);
    if (manifestFile !== undefined) {
      folders.push({ folder, manifestFile });
      continue;
    }
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && !ignored.has(entry.name) && depth < deepest)
        open.push({ folder: path, depth: depth + 1 });
      if (entry.isSymbolicLink() && (await isSkill(path)))
        warnings.push(`${path} is a link, which is not followed. Name the folder that it leads to.`);
    }
    if (open.length > mostFolders)
      throw folderError(
        `${root} has more than ${mostFolders} folders. Name the one that the skills are in: skills("./skills").`,
      );
  }
  const inOrder = folders.toSorted((one, other) => (one.folder < other.folder ? -1 : 1));
  return { folders: inOrder, warnings };
}

/** The paths of the files of a skill, from its folder on, those near it first; a thousand at most. */
export async function filesOf({ folder: root, manifestFile }: SkillFolder): Promise<readonly string[]> {
  const files: string[] = [];
  const open: (readonly string[])[] = [[]];
  for (const way of open) {
    for (const entry of await entriesOf(join(root, ...way))) {
      const path = [...way, entry.name];
      if (entry.isDirectory() && !ignored.has(entry.name) && path.length < deepestFile) open.push(path);
      if (entry.isFile() && (way.length > 0 || entry.name !== manifestFile)) files.push(path.join("/"));
      if (files.length >= mostFiles) return files;
    }
  }
  return files;
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  } catch (error) {
    throw folderError(`The folder ${folder} of skills cannot be read: ${errorMessage(error)}.`, error);
  }
}

function manifestIn(entries: readonly Dirent[]): string | undefined {
  const names = new Set(entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name));
  return ["SKILL.md", "skill.md"].find((name) => names.has(name));
}

async function isSkill(path: string): Promise<boolean> {
  const stats = await stat(join(path, "SKILL.md")).catch(() => undefined);
  return stats?.isFile() ?? false;
}

function folderError(message: string, cause?: unknown): ConfigurationError {
  return new ConfigurationError(message, { code: "skills-folder", cause });
}

import { realpath } from "node:fs/promises";
import { basename, join, relative, resolve } from "node:path";
import { errorMessage } from "../base/util/error-message.ts";
import { ConfigurationError } from "../errors.ts";
import { findFolders, type SkillFolder } from "./find-folders.ts";
import { readManifest, type ReadManifest, type Yaml } from "./front-matter.ts";
import { place } from "./options.ts";
import { readTextWithin } from "./read-within.ts";

/** A folder with a `SKILL.md`, which has been read. */
export interface Candidate {
  readonly source: SkillFolder;
  /** The path of the file, as errors name it. */
  readonly file: string;
  readonly read: ReadManifest;
}

/** What a folder has of skills, right ones and wrong ones. */
export interface Candidates {
  readonly candidates: readonly Candidate[];
  readonly warnings: readonly string[];
}

/**
 * Reads every `SKILL.md` of a folder.
 * @throws ConfigurationError (`skills-folder`) for one that cannot be read.
 */
export async function readFolder(yaml: Yaml, folder: string): Promise<Candidates> {
  const root = await realFolder(folder);
  const { folders, warnings } = await findFolders(root);
  const candidates: Candidate[] = [];
  for (const source of folders) {
    const file = displayPath(join(source.folder, source.manifestFile));
    candidates.push({ source, file, read: await readSkill(yaml, source) });
  }
  return { candidates, warnings };
}

async function readSkill(yaml: Yaml, { folder, manifestFile }: SkillFolder): Promise<ReadManifest> {
  let text: string;
  try {
    text = await readTextWithin(folder, manifestFile);
  } catch (error) {
    return { problems: [{ line: 1, problem: errorMessage(error) }] };
  }
  return readManifest(yaml, text, basename(folder));
}

async function realFolder(folder: string): Promise<string> {
  try {
    return await realpath(resolve(folder));
  } catch (cause) {
    throw new ConfigurationError(
      `The folder ${folder} of ${place} does not exist. Relative paths start at ${process.cwd()}.`,
      { code: "skills-folder", cause },
    );
  }
}

/** The path as a person would write it. */
function displayPath(path: string): string {
  const way = relative(process.cwd(), path);
  return way.startsWith("..") ? path : way;
}

import { basename } from "node:path";
import { withoutInvisible } from "../base/util/clean-text.ts";
import { closest } from "../base/util/closest.ts";
import { invalidOption } from "../base/options/known-options.ts";
import { ConfigurationError } from "../errors.ts";
import { filesOf, type SkillFolder } from "./find-folders.ts";
import { loadYaml, type ValidManifest } from "./front-matter.ts";
import { place, type ReadOptions } from "./options.ts";
import { readFolder, type Candidate } from "./read-folder.ts";
import type { Skill } from "./skill.ts";
import { functionsOf } from "./skill-functions.ts";

/** How many skills a model is shown at most, and how many mistakes an error names. */
const mostSkills = 500;
const mostProblems = 20;

/** Skills, and what is odd about them. */
export interface LoadedSkills {
  readonly skills: readonly Skill[];
  readonly warnings: readonly string[];
}

/**
 * Reads all skills of folders.
 * @throws ConfigurationError: `skills-folder` for a folder that cannot be read; `invalid-skill` for mistakes in a `SKILL.md`, each with
 *   its file and line, or functions that cannot be loaded; `invalid-option` if `only` names an unknown skill.
 */
export async function loadSkills(folders: readonly string[], options: ReadOptions): Promise<LoadedSkills> {
  const { only } = options;
  const yaml = await loadYaml();
  const warnings: string[] = [];
  const candidates: Candidate[] = [];
  for (const folder of folders) {
    const all = await readFolder(yaml, folder);
    candidates.push(...all.candidates.filter((each) => isChosen(each, only)));
    warnings.push(...all.warnings);
  }
  assertValid(candidates);
  const skills: Skill[] = [];
  for (const { source, file, read } of candidates) {
    if ("problems" in read) continue;
    const { name, isHidden } = read.manifest;
    warnings.push(...read.warnings.map(({ line, problem }) => `${file}:${line}: ${problem}`));
    const earlier = skills.find((skill) => skill.name === name);
    if (earlier) warnings.push(`${file} is left out: ${earlier.file} has the name ${name}, too.`);
    // What is for people alone is there if the program names it.
    else if (!isHidden || only) skills.push(await toSkill(source, file, read, options));
  }
  assertNames(skills, only);
  if (skills.length > mostSkills)
    throw invalidOption(`${place} has ${skills.length} skills. Choose at most ${mostSkills} by only.`, {
      option: "only",
    });
  if (skills.length === 0) warnings.push(`${place} has no skills: no SKILL.md is in ${folders.join(", ")}.`);
  return { skills, warnings };
}

/** A skill that cannot be read has the name of its folder. */
function isChosen({ source, read }: Candidate, only: readonly string[] | undefined): boolean {
  return !only || only.includes("manifest" in read ? read.manifest.name : basename(source.folder));
}

function assertValid(candidates: readonly Candidate[]): void {
  const problems = candidates.flatMap(({ file, read }) =>
    "problems" in read ? read.problems.map((each) => ({ file, ...each })) : [],
  );
  if (problems.length === 0) return;
  const lines = problems.map(({ file, line, problem }) => `${file}:${line}: ${problem}`);
  const rest = lines.length - mostProblems;
  const words = [...lines.slice(0, mostProblems), ...(rest > 0 ? [`and ${rest} more`] : [])].join("\n");
  throw new ConfigurationError(`${place} cannot load its skills:\n${words}`, {
    code: "invalid-skill",
    data: { problems: problems.slice(0, mostProblems) },
  });
}

function assertNames(skills: readonly Skill[], only: readonly string[] = []): void {
  const names = skills.map(({ name }) => name);
  const absent = only.find((name) => !names.includes(name));
  if (absent === undefined) return;
  const [near] = closest(absent, names, 1);
  const hint = near === undefined ? `There are: ${names.join(", ") || "none"}.` : `Did you mean "${near}"?`;
  throw invalidOption(`only of ${place} names "${absent}", which is not one of its skills. ${hint}`, {
    option: "only",
  });
}

async function toSkill(
  source: SkillFolder,
  file: string,
  { manifest, body, bodyLine }: ValidManifest,
  options: ReadOptions,
): Promise<Skill> {
  const skill = {
    ...manifest,
    ...source,
    file,
    body: withoutInvisible(body),
    bodyLine,
    files: await filesOf(source),
  };
  return { ...skill, functions: await functionsOf(skill, options.functions) };
}

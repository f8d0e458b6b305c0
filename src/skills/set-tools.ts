import type { Tool } from "../tool/types.ts";
import { allowsScripts } from "./allowed-tools.ts";
import { callTool } from "./call-tool.ts";
import { catalogOf } from "./catalog.ts";
import { loadTool, type Companions } from "./load-tool.ts";
import { readTool } from "./read-tool.ts";
import { isScript, scriptTool } from "./script-tool.ts";
import type { Skill } from "./skill.ts";
import type { SkillScriptOptions } from "./options.ts";

/** The tools of a set of skills: what models see of them, and the skills' functions, which are called through one of these. */
export function toolsOfSkills(
  skills: readonly Skill[],
  sandbox: SkillScriptOptions | undefined,
): readonly Tool[] {
  if (skills.length === 0) return [];
  const functions = skills.flatMap((skill) => skill.functions.map(({ tool }) => tool));
  const companions: Companions = {
    read: readTool(skills),
    ...(functions.length > 0 && { call: callTool(skills) }),
    ...(sandbox && skills.some(hasScripts) && { run: scriptTool(skills, sandbox) }),
  };
  const { read, call, run } = companions;
  const load = { ...loadTool(skills, companions), instructions: catalogOf(skills) };
  return [load, read, ...(call ? [call] : []), ...(run ? [run] : []), ...functions];
}

/** Whether a skill has scripts that it may run. */
export function hasScripts({ files, allowedTools }: Skill): boolean {
  return allowsScripts(allowedTools) && files.some(isScript);
}

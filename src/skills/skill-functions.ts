import { pathToFileURL } from "node:url";
import { errorMessage } from "../base/util/error-message.ts";
import { invalidOption } from "../base/options/known-options.ts";
import { ConfigurationError } from "../errors.ts";
import { derivePolicy } from "../tool/derived-policy.ts";
import { ToolRegistry } from "../tool/registry.ts";
import { renameTools, toolFrom } from "../tool/rename-tools.ts";
import type { Tool } from "../tool/types.ts";
import { allowsFunction } from "./allowed-tools.ts";
import { resolveWithin } from "./read-within.ts";
import type { Skill, SkillFunction } from "./skill.ts";

/** The files that have the functions of a skill. */
export const functionFiles: readonly string[] = ["tools.ts", "tools.mts", "tools.js", "tools.mjs"];

/**
 * What the module beside a `SKILL.md` exports, as tools that only other tools may call. The module is run in this process.
 * @param isWanted - Whether it may run; `undefined` if the program has not said so.
 * @throws ConfigurationError: `invalid-skill` for a module that cannot be loaded, or two of them; `invalid-option` for one that nobody has
 *   said may run.
 */
export async function functionsOf(
  skill: Omit<Skill, "functions">,
  isWanted: boolean | undefined,
): Promise<readonly SkillFunction[]> {
  const [file, other] = functionFiles.filter((name) => skill.files.includes(name));
  if (file === undefined || isWanted === false) return [];
  if (isWanted === undefined)
    throw invalidOption(
      `The skill ${skill.name} has ${file}, which would run in this process. Write skills(folder, { functions: true }) if you would import it, or { functions: false } to do without.`,
      { option: "functions" },
    );
  if (other !== undefined)
    throw invalidSkill(`The skill ${skill.name} has ${file} and ${other}. Leave one of them.`);
  const all = await toolsOf(skill, file);
  const tools = all.filter(({ name }) => allowsFunction(skill.allowedTools, name));
  const newNames = tools.map(({ name }) => `${skill.name}_${name}`);
  return renameTools(tools, newNames).map((tool, index) => {
    const policy = derivePolicy(tool.policy, { callers: "tools" });
    // Functions of two skills may have one name.
    return { name: tools[index]?.name ?? tool.name, tool: toolFrom({ ...tool, policy }, [tool.name]) };
  });
}

async function toolsOf({ name, folder }: Omit<Skill, "functions">, file: string): Promise<readonly Tool[]> {
  const path = await resolveWithin(folder, file);
  const registry = new ToolRegistry(name);
  try {
    await registry.load(pathToFileURL(path));
    return await registry.tools();
  } catch (cause) {
    throw invalidSkill(
      `${path} of the skill ${name} cannot be loaded: ${errorMessage(cause)} Set functions: false to do without.`,
      cause,
    );
  }
}

function invalidSkill(message: string, cause?: unknown): ConfigurationError {
  return new ConfigurationError(message, { code: "invalid-skill", cause });
}

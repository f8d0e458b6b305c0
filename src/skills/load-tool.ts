import { cleanName } from "../base/util/clean-text.ts";
import { siblingsOf } from "../executor/inner-tools.ts";
import { tool } from "../tool/define.ts";
import type { ToolContext } from "../tool/tool-context.ts";
import type { Tool } from "../tool/types.ts";
import { allowsScripts } from "./allowed-tools.ts";
import { inputOf, namedSkill } from "./named-skill.ts";
import { pageOf } from "../base/util/page.ts";
import { isScript } from "./script-tool.ts";
import { functionFiles } from "./skill-functions.ts";
import type { Skill, SkillFunction } from "./skill.ts";

/** How many files of a skill are listed. */
const mostListed = 200;
const longestPath = 300;

/** The tools that a loaded skill is used with. */
export interface Companions {
  readonly read: Tool;
  /** Absent where no skill has functions. */
  readonly call?: Tool;
  /** Absent where scripts do not run. */
  readonly run?: Tool;
}

/** Loads a skill: its instructions, and what else it has. */
export function loadTool(skills: readonly Skill[], companions: Companions): Tool {
  return tool<{ readonly name: string }>({
    name: "load_skill",
    description: "Load a skill: its instructions, and the names of its files, scripts and tools.",
    input: inputOf(
      { name: { type: "string", enum: skills.map(({ name }) => name), description: "The skill." } },
      ["name"],
    ),
    output: { type: "string" },
    readOnlyHint: true,
    openWorldHint: false,
    execute: ({ name }, context) => describeSkill(namedSkill(skills, name), companions, context),
  });
}

function describeSkill(skill: Skill, { read, call, run }: Companions, context: ToolContext): string {
  const find = siblingsOf(context);
  // An agent may have them under other names, or not all of them.
  const nameOf = (tool: Tool | undefined): string | undefined => tool && find(tool)?.name;
  const readName = nameOf(read) ?? read.name;
  const scripts = skill.files.filter(isScript);
  const runName = allowsScripts(skill.allowedTools) ? nameOf(run) : undefined;
  const parts = [
    pageOf(skill.body, 1, (line) => {
      const rest = skill.bodyLine + line - 1;
      return `Read the rest with ${readName}: path ${JSON.stringify(skill.manifestFile)}, from ${rest}.`;
    }),
    skill.compatibility && `Needs: ${skill.compatibility}`,
    listOf(skill, readName),
    scripts.length > 0 &&
      (runName === undefined
        ? "Its scripts can be read here, but not run."
        : `Its scripts run with ${runName}.`),
    functionsPart(skill.functions, nameOf(call)),
  ];
  return parts.filter((part) => typeof part === "string" && part !== "").join("\n\n");
}

/** The files that a model may want to read: what its tools are, it sees below. */
function listOf({ files, functions }: Skill, readName: string): string {
  const names = files.filter((file) => functions.length === 0 || !functionFiles.includes(file));
  if (names.length === 0) return "";
  const rest = names.length - mostListed;
  const visible = names.slice(0, mostListed).map((file) => cleanName(file, longestPath));
  return `Files of this skill, for ${readName}: ${visible.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}

function functionsPart(functions: readonly SkillFunction[], callName: string | undefined): string {
  if (functions.length === 0 || callName === undefined) return "";
  const lines = functions.map(({ name, tool: { description = "", inputSchema } }) => {
    const words = description === "" ? "" : ` ${description}`;
    return `- ${name}:${words} Arguments: ${JSON.stringify(inputSchema.jsonSchema)}`;
  });
  return [`Tools of this skill, for ${callName}:`, ...lines].join("\n");
}

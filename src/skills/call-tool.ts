import { callInPlace, siblingsOf } from "../executor/inner-tools.ts";
import { tool } from "../tool/define.ts";
import type { Tool } from "../tool/types.ts";
import { SkillError } from "./errors.ts";
import { inputOf, namedSkill, text } from "./named-skill.ts";
import type { Skill } from "./skill.ts";

/** Calls a function of a skill, as a tool like any other: with its checks, policies and events. */
export function callTool(skills: readonly Skill[]): Tool {
  return tool<{ readonly name: string; readonly tool: string; readonly arguments?: object }>({
    name: "call_skill_tool",
    description: "Call a tool of a skill. Load the skill first: it has the tools and their arguments.",
    input: inputOf(
      {
        name: text("The skill."),
        tool: text("The tool."),
        arguments: { type: "object", description: "The arguments of the tool.", default: {} },
      },
      ["name", "tool"],
    ),
    // Each function has its own.
    timeout: Infinity,
    execute: ({ name, tool: toolName, arguments: args = {} }, context) => {
      const { functions } = namedSkill(skills, name);
      const wanted = functions.find((each) => each.name === toolName);
      const sibling = wanted && siblingsOf(context)(wanted.tool);
      if (sibling) return callInPlace(context, sibling, args);
      const names = functions.map((each) => each.name).join(", ") || "none";
      throw new SkillError(
        `The skill ${name} has no tool ${JSON.stringify(toolName)} here. Its tools: ${names}.`,
      );
    },
  });
}

import { withoutInvisible } from "../base/util/clean-text.ts";
import { tool } from "../tool/define.ts";
import type { Tool } from "../tool/types.ts";
import { SkillError } from "./errors.ts";
import { inputOf, namedSkill, text } from "./named-skill.ts";
import { pageOf } from "../base/util/page.ts";
import { readTextWithin } from "./read-within.ts";
import type { Skill } from "./skill.ts";

/** Reads a file of a skill, and of nothing else. */
export function readTool(skills: readonly Skill[]): Tool {
  return tool<{
    readonly name: string;
    readonly path: string;
    readonly from?: number;
    readonly lines?: number;
  }>({
    name: "read_skill_file",
    description: "Read a text file of a skill.",
    input: inputOf(
      {
        name: text("The skill."),
        path: text("The file, from the skill's folder on: references/guide.md."),
        from: { type: "integer", minimum: 1, default: 1, description: "The first line." },
        lines: { type: "integer", minimum: 1, description: "How many lines; all by default." },
      },
      ["name", "path"],
    ),
    output: { type: "string" },
    readOnlyHint: true,
    openWorldHint: false,
    execute: async ({ name, path, from = 1, lines }) => {
      const text = withoutInvisible(await readTextWithin(namedSkill(skills, name).folder, path));
      const content = text.endsWith("\n") ? text.slice(0, -1) : text;
      const count = content.split("\n").length;
      if (from > count) throw new SkillError(`${path} has ${count} lines.`);
      return pageOf(content, from, (line) => `Go on with from: ${line}.`, lines);
    },
  });
}

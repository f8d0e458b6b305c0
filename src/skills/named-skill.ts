import { closest } from "../base/util/closest.ts";
import type { JsonSchema } from "../schema/types.ts";
import { SkillError } from "./errors.ts";
import type { Skill } from "./skill.ts";

/** How long the names and paths that a model writes may be. */
const longestText = 1_000;

/**
 * The skill of a name.
 * @throws SkillError for an unknown one.
 */
export function namedSkill(skills: readonly Skill[], name: string): Skill {
  const skill = skills.find((each) => each.name === name);
  if (skill) return skill;
  const near = closest(
    name,
    skills.map((each) => each.name),
  );
  throw new SkillError(
    `Unknown skill ${JSON.stringify(name)}. ${near.length > 0 ? `Similar: ${near.join(", ")}.` : "The instructions list all skills."}`,
  );
}

/** The schema of a text that a model writes. */
export function text(description: string): JsonSchema {
  return { type: "string", description, minLength: 1, maxLength: longestText };
}

/** The schema of an object of these properties alone. */
export function inputOf(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[],
): JsonSchema {
  return { type: "object", properties, required: [...required], additionalProperties: false };
}

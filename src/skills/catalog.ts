import type { Skill } from "./skill.ts";

/**
 * What a model reads of all skills below the agent's instructions: one line each. It is the same in every request, whatever is loaded,
 * so that what a provider has cached of the prompt stays valid.
 */
export function catalogOf(skills: readonly Skill[]): string {
  const lines = skills.map(({ name, description }) => `- ${name}: ${description}`);
  return [
    "Skills are instructions for certain tasks. Before you do what one of them is for, load it by its name, and follow it.",
    ...lines,
  ].join("\n");
}

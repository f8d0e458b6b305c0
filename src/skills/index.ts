/**
 * `skein/skills`: Agent Skills, folders with a `SKILL.md`, as a toolset.
 * @module
 */
export { SkillError } from "./errors.ts";
export type { ScriptInput, SkillScriptOptions, SkillsOptions } from "./options.ts";
export { skills } from "./skills.ts";

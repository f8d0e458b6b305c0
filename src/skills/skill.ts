import type { Tool } from "../tool/types.ts";
import type { AllowedTool } from "./allowed-tools.ts";

/** What the front matter of a `SKILL.md` says. */
export interface Manifest {
  readonly name: string;
  /** One line. */
  readonly description: string;
  readonly compatibility?: string;
  /** The skill's own list of tools; absent where all are allowed. */
  readonly allowedTools?: readonly AllowedTool[];
  /** Whether the skill is for people to start, not for models. */
  readonly isHidden: boolean;
}

/** A skill, as it was when it was read. */
export interface Skill extends Manifest {
  /** The real path of its folder. */
  readonly folder: string;
  /** The path of its `SKILL.md`, as errors name it. */
  readonly file: string;
  /** The name of that file in the folder. */
  readonly manifestFile: string;
  /** What stands below the front matter. */
  readonly body: string;
  /** The line of the file that the body begins with. */
  readonly bodyLine: number;
  /** Paths of its other files, from its folder on, with slashes. */
  readonly files: readonly string[];
  /** Its functions as tools, those that its own list allows. */
  readonly functions: readonly SkillFunction[];
}

/** A function beside a `SKILL.md`. */
export interface SkillFunction {
  /** The name by which the skill speaks of it. */
  readonly name: string;
  /** The tool of the set, which only other tools may call. */
  readonly tool: Tool;
}

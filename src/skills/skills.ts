import { toolset, type WrappedToolset } from "../tool/toolset.ts";
import type { Tool, Toolset, ToolsetContext } from "../tool/types.ts";
import type { Listing } from "./list-skills.ts";
import { readFolders, readOptions, type ReadOptions, type SkillsOptions } from "./options.ts";

/**
 * Agent Skills (folders with a `SKILL.md`) as a toolset. The model sees one line of each below the agent's instructions, loads those that
 * it needs (`load_skill`), and reads their files (`read_skill_file`). The folders are read at the first run. Needs the package `yaml`.
 * ```ts
 * new Agent({ name: "Clerk", tools: [skills("./skills")] })
 * ```
 * @param folders - A folder of skills, at any depth, or one skill; or a list of them, of which the first wins where names are the same.
 * @throws ConfigurationError for an invalid option. In the first run: `skills-folder` for a folder that cannot be read, `invalid-skill` for
 *   mistakes in a `SKILL.md`, with file and line, `sandbox-unavailable` where scripts cannot run.
 */
export function skills(folders: string | readonly string[], options: SkillsOptions = {}): WrappedToolset {
  return toolset([new Skills(readFolders(folders), readOptions(options))], "skills");
}

class Skills implements Toolset {
  readonly name = "skills";
  readonly #folders: readonly string[];
  readonly #options: ReadOptions;
  #listing: Promise<Listing> | undefined;

  constructor(folders: readonly string[], options: ReadOptions) {
    this.#folders = folders;
    this.#options = options;
  }

  async tools({ warn }: ToolsetContext): Promise<readonly Tool[]> {
    this.#listing ??= import("./list-skills.ts").then(({ listSkills }) =>
      listSkills(this.#folders, this.#options),
    );
    // What a person mends counts from the next run on.
    this.#listing.catch(() => (this.#listing = undefined));
    const { tools, warnings } = await this.#listing;
    for (const warning of warnings) warn?.(warning);
    return tools;
  }
}

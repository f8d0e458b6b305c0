import { toolset, type WrappedToolset } from "../tool/toolset.ts";
import type { Tool, Toolset, ToolsetContext } from "../tool/types.ts";
import { loadSkills } from "./load-skills.ts";
import { readFolders, readOptions, type ReadOptions, type SkillsOptions } from "./options.ts";
import { tryScripts } from "./script-tool.ts";
import { hasScripts, toolsOfSkills } from "./set-tools.ts";

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

/** The tools of the skills, and what to warn of. */
interface Listing {
  readonly tools: readonly Tool[];
  readonly warnings: readonly string[];
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
    this.#listing ??= this.#list();
    // What a person mends counts from the next run on.
    this.#listing.catch(() => (this.#listing = undefined));
    const { tools, warnings } = await this.#listing;
    for (const warning of warnings) warn?.(warning);
    return tools;
  }

  async #list(): Promise<Listing> {
    const { sandbox } = this.#options;
    const { skills, warnings } = await loadSkills(this.#folders, this.#options);
    if (sandbox) await tryScripts(skills.filter(hasScripts), sandbox);
    return { tools: toolsOfSkills(skills, sandbox), warnings };
  }
}

import type { Tool } from "../tool/types.ts";
import { loadSkills } from "./load-skills.ts";
import type { ReadOptions } from "./options.ts";
import { tryScripts } from "./script-tool.ts";
import { hasScripts, toolsOfSkills } from "./set-tools.ts";

/** The tools of skills, and what to warn of. */
export interface Listing {
  readonly tools: readonly Tool[];
  readonly warnings: readonly string[];
}

/**
 * Reads folders of skills, and makes their tools.
 * @throws ConfigurationError as `loadSkills` and `tryScripts` do.
 */
export async function listSkills(folders: readonly string[], options: ReadOptions): Promise<Listing> {
  const { sandbox } = options;
  const { skills, warnings } = await loadSkills(folders, options);
  if (sandbox) await tryScripts(skills.filter(hasScripts), sandbox);
  return { tools: toolsOfSkills(skills, sandbox), warnings };
}

import { displayPath } from "./excerpt.ts";
import type { ToolFile } from "./tool-file.ts";

/** What to say of files without tools: what is looked for, too. */
export function noToolsIn(...files: readonly string[]): string {
  const names = files.map(displayPath).join(", ");
  return (
    `No tools found in ${names}. Skein looks for exports: functions, tool(...), toolkit(...) and agents, ` +
    "such as export const agent = new Agent({ ... })."
  );
}

/** Whether a file has neither tools, nor agents, nor anything that keeps them from being read. */
export function hasNothing({ tools, agents, problems }: ToolFile): boolean {
  return tools.length + agents.length + problems.length === 0;
}

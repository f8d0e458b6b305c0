/** Toolsets of different owners whose tools have one name. */
import { tool, type Tool, type Toolset } from "skein";
import { effects, empty } from "./test-nested.ts";

/** A tool `remove` that notes whose it is. */
export function remove(owner: string, more: Partial<Tool["policy"]> = { approval: true }): Tool {
  return tool({
    name: "remove",
    input: empty,
    ...more,
    execute: () => {
      effects.push(`remove of ${owner}`);
      return "removed";
    },
  });
}

/** A toolset of these tools. */
export function set(name: string, ...tools: readonly Tool[]): Toolset {
  return { name, tools: () => tools };
}

/** A toolset with a tool `remove`. */
export const files = (): Toolset => set("files", remove("files"));

/** Another toolset with a tool `remove`. */
export const mail = (): Toolset => set("mail", remove("mail"));

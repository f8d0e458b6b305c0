import { sameLists } from "../../base/util/same-lists.ts";
import { askToolsets, registerTools } from "../register-tools.ts";
import { toolEntries } from "../resolve.ts";
import type { Tool, ToolSources, Toolset } from "../types.ts";

/** The tools of several sources as one set. Where two toolsets have a tool of one name, the later gets its set's name in front. */
export function combined(name: string, sources: ToolSources): Toolset {
  const entries = toolEntries(sources);
  let lastLists: readonly (readonly Tool[])[] = [];
  let tools: readonly Tool[] | undefined;
  return {
    name,
    async tools(context) {
      const lists = await askToolsets(entries, context);
      if (tools && sameLists(lists, lastLists)) return tools;
      const registered = (await registerTools(entries, lists)).tools;
      lastLists = lists;
      tools = registered;
      return registered;
    },
  };
}

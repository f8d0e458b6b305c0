import { sameLists } from "../../base/util/same-lists.ts";
import { askToolsets, registerTools } from "../register-tools.ts";
import { toolFrom } from "../rename-tools.ts";
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
      const lists = await askToolsets(entries, { ...context, path: context.path ?? [name] });
      if (tools && sameLists(lists, lastLists)) return tools;
      const table = await registerTools(entries, lists);
      const registered = table.tools.map((tool) => placed(tool, table.originOf(tool.name), entries.length));
      lastLists = lists;
      tools = registered;
      return registered;
    },
  };
}

/** The only set in another one is that set: wrapping it makes its tools no others. */
function placed(tool: Tool, origin: readonly string[] = [], sources: number): Tool {
  if (origin.length === 0) return toolFrom(tool, ["", tool.name]);
  return toolFrom(tool, sources === 1 ? origin.slice(1) : origin);
}

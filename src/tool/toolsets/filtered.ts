import { sameLists } from "../../base/util/same-lists.ts";
import type { Tool, Toolset, ToolsetContext } from "../types.ts";

/** The tools that `keep` chooses for an agent and its context. The same list as before where the choice is the same. */
export function filtered(inner: Toolset, keep: (tool: Tool, scope: ToolsetContext) => boolean): Toolset {
  let last: readonly Tool[] = [];
  return {
    name: inner.name,
    async tools(context) {
      const tools = (await inner.tools(context)).filter((tool) => keep(tool, context));
      if (!sameLists(tools, last)) last = tools;
      return last;
    },
  };
}

import { immediate } from "../../base/util/callbacks.ts";
import { invalidOption } from "../../base/options/known-options.ts";
import { sameLists } from "../../base/util/same-lists.ts";
import type { Tool, Toolset, ToolsetContext } from "../types.ts";

/** The tools that `keep` chooses for an agent and its context. The same list as before where the choice is the same. */
export function filtered(inner: Toolset, keep: (tool: Tool, scope: ToolsetContext) => boolean): Toolset {
  let last: readonly Tool[] = [];
  const refuse = (): Error =>
    invalidOption(
      `The function of filtered() for the toolset ${inner.name} must return true or false, not a promise.`,
      {
        option: "filtered",
      },
    );
  return {
    name: inner.name,
    async tools(context) {
      const tools = (await inner.tools(context)).filter((tool) => immediate(keep(tool, context), refuse));
      if (!sameLists(tools, last)) last = tools;
      return last;
    },
  };
}

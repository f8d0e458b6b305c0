import { immediate } from "../../base/util/callbacks.ts";
import { invalidOption } from "../../base/options/known-options.ts";
import { sameLists } from "../../base/util/same-lists.ts";
import { memoize } from "../../base/util/memoize.ts";
import { refineSearch } from "../searches.ts";
import type { Tool, Toolset, ToolsetContext } from "../types.ts";

/** The tools that `keep` chooses for an agent and its context, among those that a search in the set finds, too. The same list as before where the choice is the same. */
export function filtered(inner: Toolset, keep: (tool: Tool, scope: ToolsetContext) => boolean): Toolset {
  let last: readonly Tool[] = [];
  const refuse = (): Error =>
    invalidOption(
      `The function of filtered() for the toolset ${inner.name} must return true or false, not a promise.`,
      {
        option: "filtered",
      },
    );
  const isKept = (tool: Tool, scope: ToolsetContext): boolean => immediate(keep(tool, scope), refuse);
  const refined = memoize((tool: Tool) =>
    refineSearch(tool, (each, scope) => (isKept(each, scope) ? each : undefined)),
  );
  return {
    name: inner.name,
    async tools(context) {
      const tools = (await inner.tools(context)).filter((tool) => isKept(tool, context)).map(refined);
      if (!sameLists(tools, last)) last = tools;
      return last;
    },
  };
}

import { memoize } from "../../base/util/memoize.ts";
import { keepOrigin } from "../rename-tools.ts";
import { refineSearch } from "../searches.ts";
import type { Tool, Toolset } from "../types.ts";

/** Changes a list of tools. */
export type ListChange = (list: readonly Tool[]) => readonly Tool[];

/**
 * Every list changed, and what a search in it finds. A list is changed once, so that what is known of it holds from turn to turn.
 */
export function mapped(inner: Toolset, change: ListChange): Toolset {
  const refined = memoize((tool: Tool) => refineSearch(tool, (each) => change([each])[0]));
  const changedList = memoize((list: readonly Tool[]) => change(list).map(refined));
  return {
    name: inner.name,
    async tools(context) {
      return changedList(await inner.tools(context));
    },
  };
}

/** Changes each tool of a list by itself, and each tool once. */
export function eachTool(change: (tool: Tool) => Tool): ListChange {
  const changed = memoize((tool: Tool) => keepOrigin(change(tool), tool));
  return (list) => list.map(changed);
}

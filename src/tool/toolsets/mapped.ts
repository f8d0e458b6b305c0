import { memoize } from "../../base/util/memoize.ts";
import type { Tool, Toolset } from "../types.ts";

/** Every tool changed. A tool is changed once, and a list too, so that what is known of them holds from turn to turn. */
export function mapped(inner: Toolset, change: (tool: Tool, list: readonly Tool[]) => Tool): Toolset {
  const tools = new WeakMap<Tool, Tool>();
  const changed = (tool: Tool, list: readonly Tool[]): Tool => {
    const result = tools.get(tool) ?? change(tool, list);
    tools.set(tool, result);
    return result;
  };
  const changedList = memoize((list: readonly Tool[]) => list.map((tool) => changed(tool, list)));
  return {
    name: inner.name,
    async tools(context) {
      return changedList(await inner.tools(context));
    },
  };
}

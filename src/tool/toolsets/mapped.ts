import type { Tool, Toolset } from "../types.ts";

/** Every tool changed. A tool is changed once, and a list too, so that what is known of them holds from turn to turn. */
export function mapped(inner: Toolset, change: (tool: Tool, list: readonly Tool[]) => Tool): Toolset {
  const tools = new WeakMap<Tool, Tool>();
  const lists = new WeakMap<readonly Tool[], readonly Tool[]>();
  const changed = (tool: Tool, list: readonly Tool[]): Tool => {
    const made = tools.get(tool) ?? change(tool, list);
    tools.set(tool, made);
    return made;
  };
  return {
    name: inner.name,
    async tools(context) {
      const list = await inner.tools(context);
      const made = lists.get(list) ?? list.map((tool) => changed(tool, list));
      lists.set(list, made);
      return made;
    },
  };
}

import { memoize } from "../../base/util/memoize.ts";
import { isSearch } from "../searches.ts";
import type { Tool, Toolset } from "../types.ts";

/** The same set, which warns of names that its program lists and that no tool in it has: a typing error would go unnoticed. */
export function warningOfAbsent(inner: Toolset, names: readonly string[], method: string): Toolset {
  const warningFor = memoize((tools: readonly Tool[]): string => {
    // What a search may still find is not listed.
    if (tools.some(isSearch)) return "";
    const present = new Set(tools.map(({ name }) => name));
    const absent = names.filter((name) => !present.has(name));
    if (absent.length === 0) return "";
    const all = tools.length === 0 ? "It has no tools." : `It has ${quoteSome([...present])}.`;
    return `${method}() of the toolset ${inner.name} names ${quoteSome(absent)}, which it does not have. ${all}`;
  });
  return {
    name: inner.name,
    async tools(context) {
      const tools = await inner.tools(context);
      const warning = warningFor(tools);
      if (warning !== "") context.warn?.(warning);
      return tools;
    },
  };
}

const mostNames = 20;

function quoteSome(names: readonly string[]): string {
  const some = names.slice(0, mostNames).map((name) => `"${name}"`);
  const rest = names.length - some.length;
  return rest > 0 ? `${some.join(", ")} and ${rest} more` : some.join(", ");
}

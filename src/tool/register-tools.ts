import { deriveTools } from "./derive.ts";
import { isFunctionTool, isToolset, isToolSource } from "./is-source.ts";
import { originWithin, renameTools } from "./rename-tools.ts";
import { staticName, toolEntries, type ToolEntry } from "./resolve.ts";
import { ToolTable, type ToolOriginPath } from "./table.ts";
import type { Tool, ToolSources, Toolset, ToolsetContext } from "./types.ts";

/** The tools of every toolset among the entries, in order. A toolset that has nothing new gives the same list again. */
export function askToolsets(
  entries: readonly ToolEntry[],
  context: ToolsetContext,
): Promise<readonly (readonly Tool[])[]> {
  const toolsets = entries.flatMap(({ source }) => (isToolset(source) ? [source] : []));
  return Promise.all(toolsets.map(async (toolset) => toolset.tools(context)));
}

/**
 * Finds all schemas and registers every tool in order. `toolsets` is what `askToolsets` gave.
 * A tool of a toolset whose name is used already gets the toolset's name in front, and a number behind it where that is used, too.
 */
export async function registerTools(
  entries: readonly ToolEntry[],
  toolsets: readonly (readonly Tool[])[],
): Promise<ToolTable> {
  const functions = entries.flatMap(({ source }) => (isFunctionTool(source) ? [source] : []));
  const derived = functions.length === 0 ? [] : await deriveTools(functions);
  const setNames = entries.flatMap(({ source }) => (isToolset(source) ? source.name : []));
  const toolTable = new ToolTable([], undefined, {
    isDynamic: setNames.length > 0,
    originOf: () => undefined,
  });
  const usedNames = new Set([...entries.map(staticName), ...derived.map(({ name }) => name)]);
  const nextDerived = derived.values();
  const nextToolset = toolsets.values();
  const nextName = distinct(setNames).values();
  for (const { source, place } of entries) {
    if (isToolset(source)) {
      const distinctName = nextName.next().value ?? source.name;
      registerToolset(toolTable, source, distinctName, nextToolset.next().value ?? [], usedNames);
    } else toolTable.register(isFunctionTool(source) ? nextOf(nextDerived) : source, place);
  }
  return toolTable;
}

/** All tools of a list, record or set, ready to be called. */
export async function resolveTools(
  sources: ToolSources | Toolset,
  scope?: Partial<ToolsetContext>,
): Promise<ToolTable> {
  const entries = toolEntries(isToolSource(sources) ? [sources] : sources);
  return registerTools(
    entries,
    await askToolsets(entries, { context: {}, agent: undefined, messages: [], ...scope }),
  );
}

function nextOf(tools: Iterator<Tool, unknown>): Tool {
  const next = tools.next();
  if (next.done) throw new TypeError("fewer tools were derived than functions given");
  return next.value;
}

/** Names, where several are one with their places: without one of them, nobody knows which is which. */
function distinct(names: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const places = new Map<string, number>();
  return names.map((name) => {
    const count = counts.get(name) ?? 1;
    const place = (places.get(name) ?? 0) + 1;
    places.set(name, place);
    return count === 1 ? name : `${name} ${place}/${count}`;
  });
}

function registerToolset(
  toolTable: ToolTable,
  toolset: Toolset,
  distinctName: string,
  tools: readonly Tool[],
  usedNames: ReadonlySet<string | undefined>,
): void {
  const newNames = freeNames(toolset.name, tools, (name) => usedNames.has(name) || toolTable.has(name));
  const origins = distinctOrigins(tools);
  for (const [index, tool] of renameTools(tools, newNames).entries())
    toolTable.register(tool, `the toolset ${toolset.name}`, [distinctName, ...(origins[index] ?? [])]);
}

/** A name for each tool of a set: what a set lists never ends a run. A name that the set lists is that of its own tool. */
function freeNames(
  setName: string,
  tools: readonly Tool[],
  isUsed: (name: string) => boolean,
): readonly string[] {
  const listed = new Set(tools.map(({ name }) => name));
  const assigned = new Set<string>();
  const numbers = new Map<string, number>();
  return tools.map(({ name }) => {
    let newName = name;
    if (isUsed(name) || assigned.has(name)) {
      const wish = `${setName}_${name}`;
      let number = numbers.get(wish) ?? 1;
      newName = number === 1 ? wish : `${wish}_${number}`;
      while (isUsed(newName) || listed.has(newName) || assigned.has(newName))
        newName = `${wish}_${(number += 1)}`;
      numbers.set(wish, number);
    }
    assigned.add(newName);
    return newName;
  });
}

/** Where each tool comes from within its set; several that come from one place are known by their order. */
function distinctOrigins(tools: readonly Tool[]): readonly ToolOriginPath[] {
  const origins = tools.map(originWithin);
  const keys = origins.map((origin) => JSON.stringify(origin));
  const distinctKeys = distinct(keys);
  return origins.map((origin, index) => {
    const place = distinctKeys[index]?.slice(keys[index]?.length) ?? "";
    return place === "" ? origin : [...origin.slice(0, -1), `${origin.at(-1)}${place}`];
  });
}

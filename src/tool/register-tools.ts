import { deriveTools } from "./derive.ts";
import { isFunctionTool, isToolset, isToolSource } from "./is-source.ts";
import { originWithin, renameTools } from "./rename-tools.ts";
import { staticName, toolEntries, type ToolEntry } from "./resolve.ts";
import { ToolTable } from "./table.ts";
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
 * A tool of a toolset whose name is seenNames gets the toolset's name in front.
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
  const usedNames = new Set(entries.map(staticName));
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

/** Names of toolsets, where several have one with their places: without one of them, nobody knows which is which. */
function distinct(names: readonly string[]): readonly string[] {
  return names.map((name, index) => {
    const count = names.filter((other) => other === name).length;
    const place = names.slice(0, index + 1).filter((other) => other === name).length;
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
  const seenNames = new Set(usedNames);
  const newNames = tools.map(({ name }) => {
    const newName = seenNames.has(name) || toolTable.has(name) ? `${toolset.name}_${name}` : name;
    seenNames.add(name);
    return newName;
  });
  for (const [index, tool] of renameTools(tools, newNames).entries()) {
    const origin = [distinctName, ...originWithin(tools[index] ?? tool)];
    toolTable.register(tool, `the toolset ${toolset.name}`, origin);
  }
}

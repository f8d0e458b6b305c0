import { ConfigurationError } from "../errors.ts";
import { describeValue } from "../base/options/known-options.ts";
import { memoize } from "../base/util/memoize.ts";
import { deriveTools } from "./derive.ts";
import { isFunctionTool, isToolset, isToolSource } from "./is-source.ts";
import { staticName, toolEntries, type ToolEntry } from "./resolve.ts";
import { ToolTable } from "./table.ts";
import type { Tool, ToolSources, Toolset, ToolsetContext } from "./types.ts";

/** The tools of every toolset among the entries, in order. A toolset that has nothing new gives the same list again. */
export async function askToolsets(
  entries: readonly ToolEntry[],
  context: ToolsetContext,
): Promise<readonly (readonly Tool[])[]> {
  const paths = await pathsOf(entries);
  return Promise.all(
    paths.map(async ([toolset, name]) => {
      const path = pathWithin(context.path, name, entries.length);
      return assertList(await toolset.tools({ ...context, path }), toolset.name);
    }),
  );
}

/** @throws ConfigurationError (`invalid-tool`) */
function assertList(tools: readonly Tool[], name: string): readonly Tool[] {
  if (Array.isArray(tools)) return tools;
  throw new ConfigurationError(
    `The function tools() of the toolset "${name}" must return a list of tools, not ${describeValue(tools)}. Return [] where there are none.`,
    { code: "invalid-tool" },
  );
}

/** The toolsets among the entries, each with a name that no other one has. */
const pathsOf = memoize(
  async (entries: readonly ToolEntry[]): Promise<readonly (readonly [Toolset, string])[]> => {
    const toolsets = entries.flatMap(({ source }) => (isToolset(source) ? [source] : []));
    if (toolsets.length === 0) return [];
    const { distinct } = await import("./register-toolset.ts");
    const names = distinct(toolsets.map(({ name }) => name));
    return toolsets.map((toolset, index) => [toolset, names[index] ?? toolset.name]);
  },
);

/** The only set in another one is that set: wrapping it makes its tools no others. */
function pathWithin(path: readonly string[] | undefined, name: string, sources: number): readonly string[] {
  if (!path) return [name];
  return sources === 1 ? path : [...path, name];
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
  const sets = setNames.length > 0 ? await import("./register-toolset.ts") : undefined;
  const registerNext = sets?.toolsetRegistrar(toolTable, setNames, toolsets, usedNames);
  for (const { source, place } of entries) {
    if (isToolset(source)) registerNext?.(source);
    else toolTable.register(isFunctionTool(source) ? nextOf(nextDerived) : source, place);
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

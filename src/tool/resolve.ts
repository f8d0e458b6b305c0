import { ConfigurationError } from "../errors.ts";
import { tool as defineTool } from "./define.ts";
import { deriveTools } from "./derive.ts";
import { nameClash, ToolRegistry } from "./registry.ts";
import type { FunctionTool, Tool, ToolSource, ToolSources, Toolset, ToolsetContext } from "./types.ts";

/** One listed tool, and where it is listed. */
export interface ToolEntry {
  readonly source: FunctionTool | Tool | Toolset;
  /** Such as `tools[1] (the function getWeather)`. */
  readonly place: string;
}

/**
 * Reads a list or record of tools.
 * @throws ConfigurationError for something that is no tool; NameClashError if two names known already are the same.
 */
export function toolEntries(sources: ToolSources = []): readonly ToolEntry[] {
  const entries = isList(sources)
    ? sources.map((source, index) => toEntry(source, `tools[${index}]`, undefined))
    : Object.entries(sources).map(([name, source]) => toEntry(source, `tools.${name}`, name));
  assertDistinctNames(entries);
  return entries;
}

/** A copy, so that a list which changes later changes no agent. */
export function copySources(sources: ToolSources = []): ToolSources {
  return isList(sources) ? [...sources] : { ...sources };
}

/** The name of an entry, where it is known before any schema is looked for. */
function staticName(entry: ToolEntry): string | undefined {
  return isToolset(entry.source) ? undefined : entry.source.name;
}

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
 * A tool of a toolset whose name is taken gets the toolset's name in front.
 */
export async function registerTools(
  entries: readonly ToolEntry[],
  toolsets: readonly (readonly Tool[])[],
): Promise<ToolRegistry> {
  const derived = await deriveTools(
    entries.flatMap(({ source }) => (isFunctionTool(source) ? [source] : [])),
  );
  const registry = new ToolRegistry();
  const taken = new Set(entries.map(staticName));
  const nextDerived = derived.values();
  const nextToolset = toolsets.values();
  for (const { source, place } of entries) {
    if (isToolset(source)) registerToolset(registry, source, nextToolset.next().value ?? [], taken);
    else registry.register(isFunctionTool(source) ? take(nextDerived) : source, place);
  }
  return registry;
}

/** All tools of a list or record, ready to be called. */
export async function resolveTools(sources: ToolSources | ToolRegistry): Promise<ToolRegistry> {
  if (sources instanceof ToolRegistry) return sources;
  const entries = toolEntries(sources);
  return registerTools(entries, await askToolsets(entries, { context: {}, agent: undefined }));
}

function take(tools: Iterator<Tool, unknown>): Tool {
  const next = tools.next();
  if (next.done) throw new TypeError("fewer tools were derived than functions given");
  return next.value;
}

function registerToolset(
  registry: ToolRegistry,
  toolset: Toolset,
  tools: readonly Tool[],
  taken: ReadonlySet<string | undefined>,
): void {
  for (const tool of tools) {
    const clashes = taken.has(tool.name) || registry.has(tool.name);
    const name = clashes ? `${toolset.name}_${tool.name}` : tool.name;
    registry.register(clashes ? { ...tool, name } : tool, `the toolset ${toolset.name}`);
  }
}

function toEntry(source: ToolSource, place: string, name: string | undefined): ToolEntry {
  if (typeof source === "function") {
    const made = defineTool(source, name === undefined ? {} : { name });
    return { source: made, place: `${place} (the function ${made.name ?? "without a name"})` };
  }
  if (
    typeof source !== "object" ||
    source === null ||
    !(isToolset(source) || isFunctionTool(source) || isTool(source))
  ) {
    throw new ConfigurationError(
      `${place} is ${describe(source)}: a tool is a function, tool(...), toolkit(...) or a toolset.`,
      { code: "invalid-tool" },
    );
  }
  if (name === undefined || isToolset(source)) return { source, place };
  return { source: { ...source, name }, place };
}

/**
 * Checks the names that are known already.
 * @throws NameClashError naming both places.
 */
export function assertDistinctNames(entries: readonly ToolEntry[]): void {
  const places = new Map<string, string>();
  for (const entry of entries) {
    const name = staticName(entry);
    if (name === undefined) continue;
    const other = places.get(name);
    if (other !== undefined) throw nameClash(name, other, entry.place);
    places.set(name, entry.place);
  }
}

function describe(source: unknown): string {
  if (source === undefined || source === null) return String(source);
  return Array.isArray(source) ? "a list (spread it: ...list)" : `a ${typeof source}`;
}

function isList(sources: ToolSources): sources is readonly ToolSource[] {
  return Array.isArray(sources);
}

function isToolset(source: object): source is Toolset {
  return "tools" in source && typeof source.tools === "function";
}

function isFunctionTool(source: object): source is FunctionTool {
  return "fn" in source && typeof source.fn === "function";
}

function isTool(source: object): source is Tool {
  return "inputSchema" in source && "name" in source;
}

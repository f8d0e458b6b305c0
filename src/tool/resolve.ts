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

/** The name of an entry, where it is known before any schema is looked for. */
export function staticName(entry: ToolEntry): string | undefined {
  return isToolset(entry.source) ? undefined : entry.source.name;
}

/** Whether tools of these entries may differ from one model call to the next. */
export function isDynamic(entries: readonly ToolEntry[]): boolean {
  return entries.some(({ source }) => isToolset(source));
}

/**
 * Finds all schemas, asks all toolsets, and registers every tool in order.
 * A tool of a toolset whose name is taken gets the toolset's name in front.
 */
export async function resolveTools(entries: readonly ToolEntry[], context: ToolsetContext): Promise<ToolRegistry> {
  const functions = entries.flatMap(({ source }) => (isFunctionTool(source) ? [source] : []));
  const derived = await deriveTools(functions);
  const registry = new ToolRegistry();
  const taken = new Set(entries.map(staticName));
  for (const { source, place } of entries) {
    if (isToolset(source)) await registerToolset(registry, source, taken, context);
    else if (isFunctionTool(source)) registerDerived(registry, derived[functions.indexOf(source)], place);
    else registry.register(source, place);
  }
  return registry;
}

function registerDerived(registry: ToolRegistry, tool: Tool | undefined, place: string): void {
  if (tool) registry.register(tool, place);
}

async function registerToolset(
  registry: ToolRegistry,
  toolset: Toolset,
  taken: ReadonlySet<string | undefined>,
  context: ToolsetContext,
): Promise<void> {
  for (const tool of await toolset.tools(context)) {
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
  if (typeof source !== "object" || source === null || !(isToolset(source) || isFunctionTool(source) || isTool(source))) {
    throw new ConfigurationError(
      `${place} is ${describe(source)}: a tool is a function, tool(...), toolkit(...) or a toolset.`,
      { code: "invalid-tool" },
    );
  }
  if (name === undefined || isToolset(source)) return { source, place };
  return { source: { ...source, name }, place };
}

function assertDistinctNames(entries: readonly ToolEntry[]): void {
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

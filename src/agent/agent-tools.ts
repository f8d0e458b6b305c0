import type { Message } from "../message/messages.ts";
import { readResult } from "../executor/read-result.ts";
import { askToolsets, registerTools } from "../tool/register-tools.ts";
import { assertDistinctNames, staticName, toolEntries, type ToolEntry } from "../tool/resolve.ts";
import type { ToolTable } from "../tool/table.ts";
import type { ToolNames } from "../tool/tool-names.ts";
import type { Tool, ToolsetContext } from "../tool/types.ts";
import { memoize } from "../base/util/memoize.ts";
import { sameLists } from "../base/util/same-lists.ts";
import { toolsOriginOf, type AnyAgent } from "./agent.ts";
import { handoffEntries } from "./handoff.ts";

/** An agent's tools as last resolved. Agents are immutable, so it holds as long as its toolsets list the same. */
interface CachedTools {
  readonly entries: readonly ToolEntry[];
  toolsets: readonly (readonly Tool[])[];
  toolTable: ToolTable | undefined;
  /** The names that toolsets have listed, in the order in which they first did. */
  readonly places: Map<string, number>;
}

/** The most names whose places are kept: a toolset may make up new ones for ever. */
const mostPlaces = 10_000;

/** What the tools of an agent depend on besides the context. */
export interface ToolsScope {
  readonly messages?: readonly Message[];
  /** Which tools the names lead to that calls have had. */
  readonly toolNames?: ToolNames;
  readonly warn?: (message: string) => void;
  /** Whether the history has truncated results, which the agent must be able to read on in. */
  readonly hasTruncated?: boolean;
}

/**
 * The tools of an agent, its handoffs included. Schemas of plain functions are found at the first call; toolsets are
 * asked at every call.
 * @throws NameClashError, SchemaNotFoundError, ConfigurationError
 */
export function toolsOf(
  agent: AnyAgent,
  context: unknown,
  { messages = [], toolNames, warn, hasTruncated = false }: ToolsScope = {},
): ToolTable | Promise<ToolTable> {
  const own = cachedToolsOf(agent);
  // A table that has the reader already stays the same list for the model.
  const tools = hasTruncated && !own.toolTable?.has(readResult.name) ? cachedToolsWithReader(agent) : own;
  if (tools.toolTable && tools.toolsets.length === 0) return tools.toolTable;
  const named = toolNames?.originsFor(agent.name);
  return resolveAgentTools(tools, {
    context,
    agent,
    messages,
    ...(named && { named }),
    ...(warn && { warn }),
  });
}

/** The names of an agent's own tools and handoffs, as far as no schema and no toolset has to be asked for them. */
export function staticToolNames(agent: AnyAgent): ReadonlySet<string> {
  return new Set(cachedToolsOf(agent).entries.flatMap((entry) => staticName(entry) ?? []));
}

async function resolveAgentTools(tools: CachedTools, context: ToolsetContext): Promise<ToolTable> {
  const toolsets = await askToolsets(tools.entries, context);
  if (tools.toolTable && sameLists(toolsets, tools.toolsets)) return tools.toolTable;
  const ordered = toolsets.map((list) => inOrder(list, tools.places));
  const toolTable = await registerTools(withReader(tools.entries, toolsets), ordered);
  tools.toolsets = toolsets;
  tools.toolTable = toolTable;
  return toolTable;
}

/** New tools come last: a server may list its tools in any order, and a provider's cache holds as long as the first stay. */
function inOrder(list: readonly Tool[], places: Map<string, number>): readonly Tool[] {
  for (const { name } of list)
    if (!places.has(name) && places.size < mostPlaces) places.set(name, places.size);
  const placeOf = ({ name }: Tool): number => places.get(name) ?? mostPlaces;
  return list.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** Where results may be cut, a tool to read on is there from the start, so that the list of tools that a model sees stays the same. */
function withReader(
  entries: readonly ToolEntry[],
  toolsets: readonly (readonly Tool[])[],
): readonly ToolEntry[] {
  const tools = [...entries.map(({ source }) => source), ...toolsets.flat()];
  if (tools.includes(readResult) || !tools.some((tool) => "policy" in tool && tool.policy.maxResultChars))
    return entries;
  return [...entries, readerEntry];
}

const readerEntry: ToolEntry = { source: readResult, place: "the tool that comes with maxResultChars" };

/** The same for histories with results that a tool of another agent has left truncated. */
const cachedToolsWithReader = memoize((agent: AnyAgent): CachedTools => {
  const tools = cachedToolsOf(agent);
  const isTaken = tools.entries.some((entry) => staticName(entry) === readResult.name);
  return isTaken ? tools : { ...tools, entries: [...tools.entries, readerEntry], toolTable: undefined };
});

const cachedToolsOf = memoize((agent: AnyAgent): CachedTools => {
  const entries = [
    ...toolEntries(agent.tools, `the agent ${agent.name}`, toolsOriginOf(agent)),
    ...handoffEntries(agent),
  ];
  assertDistinctNames(entries);
  return { entries, toolsets: [], toolTable: undefined, places: new Map() };
});

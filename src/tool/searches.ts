import { isPlainObject } from "../base/util/json.ts";
import type { ToolResult } from "../message/messages.ts";
import { isPlaced, keepOrigin } from "./rename-tools.ts";
import type { ToolOriginPath, ToolTable } from "./table.ts";
import type { ToolContext } from "./tool-context.ts";
import type { Tool, ToolsetContext } from "./types.ts";

/** What is done to a tool that a search has found, as to the tools that its set lists. `undefined` leaves it out. */
export type Refine = (tool: Tool, scope: ToolsetContext) => Tool | undefined;

/** Searches a set. What it finds goes through `refine`. */
export type SearchFunction = (input: unknown, context: ToolContext, refine: Refine) => unknown;

/** A tool as a search has answered it. */
export interface Find {
  /** The name under which it can be called. */
  readonly name: string;
  /** Where it comes from within the set. */
  readonly origin: ToolOriginPath;
}

/** What a search has found. */
export interface Finds {
  /** Those who listed the set, and the set itself. Absent in histories of earlier versions, which have the names in the set alone. */
  readonly path?: ToolOriginPath;
  readonly tools: readonly Find[];
}

type Execute = NonNullable<Tool["execute"]>;

interface Search {
  readonly search: SearchFunction;
  readonly refine: Refine;
}

/** By what executes them, so that a copy of a tool that searches is one, too. */
const searches = new WeakMap<Execute, Search>();

// oxlint-disable-next-line typescript/unbound-method -- it is only looked up
function searchOf({ execute }: Tool): Search | undefined {
  return execute && searches.get(execute);
}

/** What executes a tool that searches. */
export function searching(search: SearchFunction, refine: Refine = (tool) => tool): Execute {
  const execute: Execute = (input, context) => search(input, context, refine);
  searches.set(execute, { search, refine });
  return execute;
}

/** Whether a tool searches the tools of a set. */
export function isSearch(tool: Tool): boolean {
  return searchOf(tool) !== undefined;
}

/** A tool that searches, with one thing more that is done to what it finds. Any other tool stays as it is. */
export function refineSearch(tool: Tool, next: Refine): Tool {
  const searched = searchOf(tool);
  if (!searched) return tool;
  const { search, refine } = searched;
  const both: Refine = (each, scope) => {
    const refined = refine(each, scope);
    return refined && next(refined, scope);
  };
  return keepOrigin({ ...tool, execute: searching(search, both) }, tool);
}

/** The path of the set that a listed tool searches; `undefined` where a program lists copies of its own, which come from elsewhere. */
export function searchedPath(tool: Tool, toolTable: ToolTable): ToolOriginPath | undefined {
  return isSearch(tool) && isPlaced(tool) ? toolTable.originOf(tool.name)?.slice(0, -1) : undefined;
}

/** What the model reads of the tools that a search has found, and what a history keeps of them. */
export function searchAnswer(
  searchCall: string,
  path: ToolOriginPath,
  finds: readonly (Find & { readonly description: string })[],
): { readonly value: unknown; readonly content: string } {
  const tools = finds.map(({ name, description }) => ({ name, description }));
  return { value: { searchCall, path, tools: finds }, content: JSON.stringify({ tools }) };
}

/**
 * The tools in the result of a search; none in that of another tool. A search puts the id of its own call there, so that its answer does
 * not count where another tool repeats it.
 */
export function findsIn({ toolCallId, structuredContent }: ToolResult): Finds {
  if (!isPlainObject(structuredContent) || !Array.isArray(structuredContent.tools)) return { tools: [] };
  const { searchCall, path } = structuredContent;
  const tools = structuredContent.tools.flatMap(findOf);
  if (searchCall === undefined) return { tools };
  return searchCall === toolCallId && isPath(path) ? { path, tools } : { tools: [] };
}

function findOf(tool: unknown): readonly Find[] {
  if (!isPlainObject(tool) || typeof tool.name !== "string") return [];
  const { name, origin } = tool;
  return [{ name, origin: isPath(origin) ? origin : [name] }];
}

function isPath(value: unknown): value is ToolOriginPath {
  return Array.isArray(value) && value.every((name) => typeof name === "string");
}

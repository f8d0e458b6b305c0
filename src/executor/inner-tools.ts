import type { JsonValue } from "../base/util/json.ts";
import { memoize } from "../base/util/memoize.ts";
import { isAgent, type AgentLike } from "../tool/agent-like.ts";
import { originWithin } from "../tool/rename-tools.ts";
import type { ToolTable } from "../tool/table.ts";
import type { NamingContext } from "../tool/tool-names.ts";
import type { ToolContext } from "../tool/tool-context.ts";
import type { Tool } from "../tool/types.ts";
import { usedTool } from "./policies/deprecated.ts";
import { visibleValue } from "./policies/mask.ts";

/** A tool of the agent as it is now. */
export interface Sibling {
  /** The name by which the agent has it. */
  readonly name: string;
  /** What is called by that name: the tool itself, or the one that has taken its place. */
  readonly used: Tool;
}

/** Finds a tool of the agent by the one that a toolset has listed. */
export type FindTool = (listed: Tool) => Sibling | undefined;

/** The tools of a table by where they come from. */
const byOrigin = memoize(
  (table: ToolTable): ReadonlyMap<string, Tool> =>
    new Map(table.tools.map((tool) => [JSON.stringify(table.originOf(tool.name)), tool])),
);

/**
 * What finds the tools that a toolset has listed beside the tool of a call: an agent may have them under other names, and not all of
 * them for everyone.
 */
export function siblingsOf(context: ToolContext): FindTool {
  if (!isNaming(context)) return () => undefined;
  const { toolTable, tool } = context.naming;
  const place = toolTable.originOf(tool.name)?.slice(0, -1) ?? [];
  return (listed) => {
    const tool = byOrigin(toolTable).get(JSON.stringify([...place, ...originWithin(listed)]));
    return tool && { name: tool.name, used: usedTool(tool, toolTable) };
  };
}

/**
 * Calls a sibling for what shows a model all that it gets: without what is masked, so that what it returns can be kept.
 * @returns JSON, or the agent that it hands off to.
 */
export async function callSibling(
  context: ToolContext,
  { name, used }: Sibling,
  args: unknown,
): Promise<AgentLike | JsonValue> {
  const call = isVisibleCaller(context) ? context.callVisible : context.call;
  const returned = await call(name, args);
  return isAgent(returned) ? returned : visibleValue(used, asJson(returned));
}

/**
 * Calls a sibling in the place of the tool's own call.
 * @returns what the tool is to return: the model reads what became of the call, as if it had made that itself.
 */
export function callInPlace(context: ToolContext, { name }: Sibling, args: unknown): Promise<unknown> {
  const call = isVisibleCaller(context) ? context.callInPlace : context.call;
  return call(name, args);
}

/** What `context.call` returns is a copy of JSON, or of nothing. */
function asJson(value: unknown): JsonValue {
  const text = JSON.stringify(value) as string | undefined;
  const json: JsonValue = JSON.parse(text ?? "null");
  return json;
}

/** The context of a call, of the executor's own. */
interface VisibleCaller {
  readonly callVisible: ToolContext["call"];
  readonly callInPlace: ToolContext["call"];
}

function isVisibleCaller(context: ToolContext): context is ToolContext & VisibleCaller {
  return "callVisible" in context;
}

/** A program may call what executes a tool with a context of its own. */
function isNaming(context: ToolContext): context is ToolContext & NamingContext {
  return "naming" in context;
}

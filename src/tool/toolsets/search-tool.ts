import { isPlainObject } from "../../base/util/json.ts";
import { compileSchema } from "../../schema/compile-schema.ts";
import { originWithin, placed } from "../rename-tools.ts";
import { result } from "../result.ts";
import { searchTools } from "../search.ts";
import { searchAnswer, searching, type Refine, type SearchFunction } from "../searches.ts";
import type { ToolOriginPath } from "../table.ts";
import type { Tool, Toolset, ToolsetContext } from "../types.ts";
import { claimNames } from "./claim-names.ts";

/** A set that is searched, and how. */
export interface Searched {
  readonly inner: Toolset;
  /** The name of the tool that searches: one of the set that has it is never found. */
  readonly name: string;
  /** How many tools a search returns. */
  readonly limit: number;
}

/** The tool that searches a set for those who list it at `path`. */
export function searchTool(searched: Searched, path: ToolOriginPath): Tool {
  const tool: Tool = {
    name: searched.name,
    description:
      "Finds further tools by what they do. Those it finds can be called from then on. Search before you say that something cannot be done.",
    inputSchema: compileSchema({
      type: "object",
      properties: { query: { type: "string", description: "What the tool should do, in a few words" } },
      required: ["query"],
      additionalProperties: false,
    }),
    annotations: {},
    policy: {},
    execute: searching(searchOf(searched, path)),
  };
  return placed(tool, [searched.name]);
}

function searchOf({ inner, name, limit }: Searched, path: ToolOriginPath): SearchFunction {
  return async (input, call, refine) => {
    const { context, agent, messages, toolCallId } = call;
    const scope: ToolsetContext = { context, agent, messages, path };
    const query = isPlainObject(input) ? String(input.query) : "";
    const matches = searchTools(await inner.tools(scope), query, Number.POSITIVE_INFINITY);
    const others = matches.filter((tool) => tool.name !== name);
    const tools = await firstAllowed(others, limit, refine, scope);
    const finds = tools.map((tool) => ({
      name: tool.name,
      description: tool.description ?? "",
      origin: originWithin(tool),
    }));
    const names = claimNames(finds, call);
    const named = finds.map((find, index) => ({ ...find, name: names[index] ?? find.name }));
    return result(searchAnswer(toolCallId, path, named));
  };
}

/** The first `limit` tools that are there for the caller: anything but a clear "yes" is a refusal, as in the list of tools. */
async function firstAllowed(
  tools: readonly Tool[],
  limit: number,
  refine: Refine,
  scope: ToolsetContext,
): Promise<readonly Tool[]> {
  const allowed: Tool[] = [];
  for (const each of tools) {
    if (allowed.length >= limit) break;
    const tool = refine(each, scope);
    if (tool && (!tool.policy.allow || (await saysYes(tool.policy.allow, scope)))) allowed.push(tool);
  }
  return allowed;
}

async function saysYes(
  allow: (scope: never) => unknown,
  { context, agent }: ToolsetContext,
): Promise<boolean> {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the program gave the context its type
    return (await allow({ context, agent } as never)) === true;
  } catch {
    // The model gets no word of a tool that may not be for it.
    return false;
  }
}

import { plainName } from "../keep-names.ts";
import { searchedPath, type Find } from "../searches.ts";
import type { ToolTable } from "../table.ts";
import { ToolNames, type NamingContext } from "../tool-names.ts";
import type { ToolContext } from "../tool-context.ts";
import type { Tool } from "../types.ts";

/**
 * The names under which the agent of a call can call tools that it has found, from then on: the names are theirs as if they had been
 * called, so none of them leads to another tool, whatever other sets list by then.
 * @param finds - Under the names that they have in their set.
 */
export function claimNames(finds: readonly Find[], context: ToolContext): readonly string[] {
  if (!isNaming(context)) return finds.map(({ name }) => name);
  const { toolTable, agent, tool, toolNames = new ToolNames() } = context.naming;
  const agentName = agent?.name ?? "";
  const path = searchedPath(tool, toolTable);
  // Of copies that a program lists, nobody knows where they will come from: a name that waited for them would be lost.
  const claims = path ? toolNames : new ToolNames();
  const listed = new Map(
    toolTable.tools.map(({ name }) => [JSON.stringify(toolTable.originOf(name)), name] as const),
  );
  return finds.map((find) => {
    const origin = [...(path ?? []), ...find.origin];
    const own = JSON.stringify(origin);
    const isFree = (name: string): boolean => {
      const owners = [
        toolTable.originOf(name),
        ...[toolNames, claims].map((names) => names.originOf(agentName, name)),
      ];
      return !toolTable.refused.has(name) && owners.every((each) => !each || JSON.stringify(each) === own);
    };
    const earlier = [listed.get(own), toolNames.nameOf(agentName, origin)];
    const name = firstFree(find.name, plainName(setOf(tool, toolTable)), earlier, isFree);
    claims.set(agentName, name, origin);
    return name;
  });
}

/** The name of the set, as it stands in front of names that are used. */
function setOf({ name }: Tool, toolTable: ToolTable): string {
  return toolTable.originOf(name)?.[0] ?? "";
}

/** The name that a tool gets: one that it has had already, its own, or that with its set's name in front. */
function firstFree(
  name: string,
  set: string,
  earlier: readonly (string | undefined)[],
  isFree: (name: string) => boolean,
): string {
  const long = `${set}_${name}`;
  const first = [...earlier, name, long].find((each) => each !== undefined && isFree(each));
  if (first !== undefined) return first;
  let number = 2;
  while (!isFree(`${long}_${number}`)) number++;
  return `${long}_${number}`;
}

/** A program may call what executes a search with a context of its own. */
function isNaming(context: ToolContext): context is ToolContext & NamingContext {
  return "naming" in context;
}

import { originWithin, renameTools } from "./rename-tools.ts";
import type { ToolOriginPath, ToolTable } from "./table.ts";
import type { Tool, Toolset } from "./types.ts";

/**
 * Registers the tools of toolsets, one set at each call, in order. A name that is used already gets the set's name in front.
 * @param toolsets - What each lists.
 * @param usedNames - Those of tools that are in no set, wherever they stand.
 */
export function toolsetRegistrar(
  toolTable: ToolTable,
  setNames: readonly string[],
  toolsets: readonly (readonly Tool[])[],
  usedNames: ReadonlySet<string | undefined>,
): (toolset: Toolset) => void {
  const distinctNames = distinct(setNames).values();
  const lists = toolsets.values();
  return ({ name: setName }) => {
    const tools = lists.next().value ?? [];
    const distinctName = distinctNames.next().value ?? setName;
    const newNames = freeNames(setName, tools, (name) => usedNames.has(name) || toolTable.has(name));
    const origins = distinctOrigins(tools);
    for (const [index, tool] of renameTools(tools, newNames).entries())
      toolTable.register(tool, `the toolset ${setName}`, [distinctName, ...(origins[index] ?? [])]);
  };
}

/** Names, where several are one with their places: without one of them, nobody knows which is which. */
export function distinct(names: readonly string[]): readonly string[] {
  const places = new Map<string, number>();
  const placed = names.map((name) => {
    const place = (places.get(name) ?? 0) + 1;
    places.set(name, place);
    return { name, place };
  });
  return placed.map(({ name, place }) => {
    const count = places.get(name);
    return count === 1 ? name : `${name} ${place}/${count}`;
  });
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
    const wish = `${setName}_${name}`;
    let newName = name;
    while (isUsed(newName) || assigned.has(newName) || (newName !== name && listed.has(newName))) {
      const number = (numbers.get(wish) ?? 0) + 1;
      numbers.set(wish, number);
      newName = number === 1 ? wish : `${wish}_${number}`;
    }
    assigned.add(newName);
    return newName;
  });
}

/** Where each tool comes from within its set; of several that come from one place, their order is known, too. */
function distinctOrigins(tools: readonly Tool[]): readonly ToolOriginPath[] {
  const keys = tools.map((tool) => JSON.stringify(originWithin(tool)));
  const distinctKeys = distinct(keys);
  return tools.map((tool, index) => {
    const place = distinctKeys[index]?.slice(keys[index]?.length);
    return place ? [...originWithin(tool), place] : originWithin(tool);
  });
}

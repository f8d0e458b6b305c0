import { memoize } from "../base/util/memoize.ts";
import { isPlainObject } from "../base/util/json.ts";
import { derivePolicy } from "./derived-policy.ts";
import type { Tool } from "./types.ts";

/** Renamed tools by their new names and references: what is cached by a tool holds from turn to turn. */
const versionsOf = memoize((_: Tool) => new Map<string, Tool>());

/** Where tools come from within a set that is made of others. */
const originsWithin = new WeakMap<Tool, readonly string[]>();

/** Where a tool of a toolset comes from within it: its name there, behind those of the sets that the toolset is made of. */
export function originWithin(tool: Tool): readonly string[] {
  return originsWithin.get(tool) ?? [tool.name];
}

/** Tools that are placed in a set, and the copies of them that keep their origin. */
const toolsInPlace = new WeakSet<Tool>();

/** Whether a tool is where it was placed. A copy that a program lists in a set of its own is not, and its origin says little. */
export function isPlaced(tool: Tool): boolean {
  return toolsInPlace.has(tool);
}

/** Places a tool in a set. */
export function placed(tool: Tool, origin: readonly string[]): Tool {
  toolsInPlace.add(tool);
  return toolFrom(tool, origin);
}

/** Has a copy of a tool come from where the tool does. */
export function keepOrigin(copy: Tool, tool: Tool): Tool {
  if (toolsInPlace.has(tool)) toolsInPlace.add(copy);
  if (!originsWithin.has(copy)) originsWithin.set(copy, originWithin(tool));
  return copy;
}

/** Tools by where they come from within a set: one that several sets list comes from each of them. */
const placedTools = memoize((_: Tool) => new Map<string, Tool>());

/** A tool as one that comes from there within a set. What a class made is the same object: nothing else has its methods. */
export function toolFrom(tool: Tool, origin: readonly string[]): Tool {
  if (!isPlainObject(tool)) {
    if (!originsWithin.has(tool)) originsWithin.set(tool, origin);
    return tool;
  }
  const copies = placedTools(tool);
  const key = JSON.stringify(origin);
  const copy = copies.get(key) ?? { ...tool };
  copies.set(key, copy);
  if (toolsInPlace.has(tool)) toolsInPlace.add(copy);
  originsWithin.set(copy, origin);
  return copy;
}

/**
 * The tools of one set under other names. The names by which they refer to tools of the set are renamed with them: every renaming
 * of listed tools goes through here, since a name left behind may be another set's tool. References to other tools stay.
 * @param newNames - The new name of each tool, in the order of the list.
 */
export function renameTools(tools: readonly Tool[], newNames: readonly string[]): readonly Tool[] {
  // Nothing to do each turn for most sets, and a tool that lacks something is named where it is registered.
  if (tools.every(({ name }, index) => name === newNames[index])) return tools;
  // Of two tools of one name, a reference means the first.
  const newNameOf = (name: string): string => newNames[tools.findIndex((tool) => tool.name === name)] ?? name;
  return tools.map((tool, index) => {
    const name = newNames[index] ?? tool.name;
    const references = referencesOf(tool);
    const newReferences = references.map(newNameOf);
    const key = JSON.stringify([name, ...newReferences]);
    if (key === JSON.stringify([tool.name, ...references])) return tool;
    const versions = versionsOf(tool);
    const renamed = versions.get(key) ?? keepOrigin(renameTool(tool, name, newNameOf), tool);
    versions.set(key, renamed);
    return renamed;
  });
}

function renameTool(tool: Tool, name: string, newNameOf: (name: string) => string): Tool {
  const { annotations, policy } = tool;
  const { deprecated } = annotations;
  return {
    ...tool,
    name,
    ...(typeof deprecated === "object" && {
      annotations: { ...annotations, deprecated: { use: newNameOf(deprecated.use) } },
    }),
    ...(policy.requires && { policy: derivePolicy(policy, { requires: policy.requires.map(newNameOf) }) }),
  };
}

/** The tools that a tool refers to by their names. */
export function referencesOf({ annotations: { deprecated }, policy }: Tool): readonly string[] {
  const uses = typeof deprecated === "object" ? [deprecated.use] : [];
  return [...uses, ...(policy.requires ?? [])];
}

import { memoize } from "../base/util/memoize.ts";
import { derivePolicy } from "./derived-policy.ts";
import type { Tool } from "./types.ts";

/** Renamed tools by their new names and references: what is cached by a tool holds from turn to turn. */
const versionsOf = memoize((_: Tool) => new Map<string, Tool>());

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
    const renamed = versions.get(key) ?? renameTool(tool, name, newNameOf);
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

import type { ToolTable } from "../../tool/table.ts";
import type { Tool } from "../../tool/types.ts";
import type { ExecutionScope } from "../types.ts";

/**
 * The tool that a call of a deprecated one goes to: the one that took its place if there is one, else itself. The
 * application is warned.
 */
export function replacementOf(tool: Tool, { toolTable, observer }: ExecutionScope): Tool {
  const used = usedTool(tool, toolTable);
  observer.warn(warning(tool, used));
  return used;
}

/** The tool that is called where a model calls `tool`. */
export function usedTool(tool: Tool, toolTable: ToolTable): Tool {
  const visited = new Set<Tool>();
  let used = tool;
  // Tools may have been replaced again and again; those that name each other in a circle are used as they are.
  for (let next: Tool | undefined = tool; next?.execute && !visited.has(next);) {
    visited.add(next);
    used = next;
    const { deprecated }: Tool["annotations"] = next.annotations;
    next = typeof deprecated === "object" ? toolTable.get(deprecated.use) : undefined;
  }
  return used;
}

function warning({ name, annotations: { deprecated } }: Tool, used: Tool): string {
  if (used.name !== name) return `${name} is deprecated and was called: ${used.name} was used instead.`;
  if (typeof deprecated === "string") return `${name} is deprecated and was called: ${deprecated}`;
  if (typeof deprecated !== "object") return `${name} is deprecated and was called.`;
  return `${name} is deprecated and was called, and there is no tool "${deprecated.use}" to use instead.`;
}

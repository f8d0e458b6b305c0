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
  return successorsOf(tool, toolTable).findLast((_, index, all) => isExecutedUpTo(all, index)) ?? tool;
}

/**
 * The tool that took the place of a deprecated one, where one on the way has no `execute`: what is done by the program cannot be done
 * here instead, nor the other way round.
 */
export function replacementElsewhere(tool: Tool, toolTable: ToolTable): Tool | undefined {
  const successors = successorsOf(tool, toolTable);
  return isExecutedUpTo(successors, successors.length - 1) ? undefined : successors.slice(1).at(-1);
}

/** A tool, the one that took its place, the one that took the place of that, and so on; those in a circle once. */
function successorsOf(tool: Tool, toolTable: ToolTable): readonly Tool[] {
  const successors = new Set<Tool>();
  for (let next: Tool | undefined = tool; next && !successors.has(next);) {
    successors.add(next);
    const { deprecated }: Tool["annotations"] = next.annotations;
    next = typeof deprecated === "object" ? toolTable.get(deprecated.use) : undefined;
  }
  return [...successors];
}

function isExecutedUpTo(tools: readonly Tool[], last: number): boolean {
  return tools.every((tool, index) => tool.execute !== undefined || index > last);
}

function warning({ name, annotations: { deprecated } }: Tool, used: Tool): string {
  if (used.name !== name) return `${name} is deprecated and was called: ${used.name} was used instead.`;
  if (typeof deprecated === "string") return `${name} is deprecated and was called: ${deprecated}`;
  if (typeof deprecated !== "object") return `${name} is deprecated and was called.`;
  return `${name} is deprecated and was called, and there is no tool "${deprecated.use}" to use instead.`;
}

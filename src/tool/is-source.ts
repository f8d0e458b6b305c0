import type { ToolFunction } from "./tool-function.ts";
import type { FunctionTool, Tool, Toolset } from "./types.ts";

/** Whether a value can be listed as a tool: a function that is not a class, a tool, or a toolset. */
export function isToolSource(value: unknown): value is ToolFunction | FunctionTool | Tool | Toolset {
  if (typeof value === "function") return !/^class\b/.test(Function.prototype.toString.call(value));
  if (typeof value !== "object" || value === null) return false;
  return isFunctionTool(value) || isToolset(value) || isTool(value);
}

/** Whether an object is a function with its options, made by `tool(fn, options)`. */
export function isFunctionTool(source: object): source is FunctionTool {
  return "fn" in source && typeof source.fn === "function";
}

/** Whether an object is a set of tools. */
export function isToolset(source: object): source is Toolset {
  return "tools" in source && typeof source.tools === "function";
}

function isTool(source: object): source is Tool {
  return "inputSchema" in source && "name" in source;
}

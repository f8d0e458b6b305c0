import type { ModelRequest, ToolChoice, ToolSpec } from "../model/types.ts";
import { lasting } from "../model/wire-text.ts";

/** The fields of a request that speak of tools, which both protocols call the same. */
export interface ToolFields<Tool extends object, NamedChoice> {
  readonly tools?: Tool[];
  readonly tool_choice?: Exclude<ToolChoice, object> | NamedChoice;
  readonly parallel_tool_calls?: boolean;
}

/** How a protocol writes a tool, and the choice of one. */
export interface ToolWords<Tool extends object, NamedChoice> {
  /** What of the tool cannot be said goes to `warnings`. */
  tool(spec: ToolSpec, warnings: string[]): Tool;
  named(toolName: string): NamedChoice;
}

/** Makes what writes the tools of a protocol's requests. A run asks with the same tools again and again: each is written once. */
export function toolFieldsIn<Tool extends object, NamedChoice>(
  words: ToolWords<Tool, NamedChoice>,
): (request: ModelRequest, warnings: string[]) => ToolFields<Tool, NamedChoice> {
  const written = new WeakMap<ToolSpec, { readonly tool: Tool; readonly warnings: readonly string[] }>();
  const write = (spec: ToolSpec, warnings: string[]): Tool => {
    let entry = written.get(spec);
    if (!entry) {
      const own: string[] = [];
      entry = { tool: words.tool(spec, own), warnings: own };
      written.set(spec, entry);
    }
    warnings.push(...entry.warnings);
    return entry.tool;
  };
  return ({ tools = [], toolChoice, parallelToolCalls }, warnings) => {
    const isNamed = typeof toolChoice === "object";
    if (tools.length === 0) {
      if (toolChoice === "required" || isNamed)
        warnings.push("toolChoice was left out: the request has no tools.");
      return {};
    }
    return {
      tools: lasting(tools.map((tool) => write(tool, warnings))),
      ...(toolChoice !== undefined && { tool_choice: isNamed ? words.named(toolChoice.tool) : toolChoice }),
      ...(parallelToolCalls !== undefined && { parallel_tool_calls: parallelToolCalls }),
    };
  };
}

import type { ModelRequest, ToolChoice, ToolSpec } from "../../model/types.ts";
import { cachedJson } from "../../model/wire-text.ts";
import type { JoinRules } from "../kit/join-fields.ts";

/** How `providerOptions` go into a body. */
export const joinRules: JoinRules = { lists: new Set(["tools", "include"]) };

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

interface Written<Tool> {
  readonly specs: readonly ToolSpec[];
  readonly tools: Tool[];
  readonly warnings: readonly string[];
}

/** Makes what writes the tools of a protocol's requests. A run asks with the same tools again and again: each is written once. */
export function toolFieldsIn<Tool extends object, NamedChoice>(
  words: ToolWords<Tool, NamedChoice>,
): (request: ModelRequest, warnings: string[]) => ToolFields<Tool, NamedChoice> {
  const written = new WeakMap<readonly ToolSpec[], Written<Tool>>();
  const write = (specs: readonly ToolSpec[]): Written<Tool> => {
    const known = written.get(specs);
    // A list that is not the run's own may have been added to.
    if (known?.specs.length === specs.length && known.specs.every((spec, index) => spec === specs[index]))
      return known;
    const warnings: string[] = [];
    const tools = cachedJson(specs.map((spec) => words.tool(spec, warnings)));
    const entry = { specs: [...specs], tools, warnings };
    written.set(specs, entry);
    return entry;
  };
  return ({ tools = [], toolChoice, parallelToolCalls }, warnings) => {
    const isNamed = typeof toolChoice === "object";
    if (tools.length === 0) {
      if (toolChoice === "required" || isNamed)
        warnings.push("toolChoice was left out: the request has no tools.");
      return {};
    }
    const entry = write(tools);
    warnings.push(...entry.warnings);
    return {
      tools: entry.tools,
      ...(toolChoice !== undefined && { tool_choice: isNamed ? words.named(toolChoice.tool) : toolChoice }),
      ...(parallelToolCalls !== undefined && { parallel_tool_calls: parallelToolCalls }),
    };
  };
}

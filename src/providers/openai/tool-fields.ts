import type { ModelRequest, ToolChoice, ToolSpec } from "../../model/types.ts";
import { cachedJson } from "../../model/wire-text.ts";
import type { JoinRules } from "../kit/join-fields.ts";

/** How `providerOptions` are merged into a body. */
export const joinRules: JoinRules = { lists: new Set(["tools", "include"]) };

/** The fields of a request that concern tools. Both protocols have the same names for them. */
export interface ToolFields<Tool extends object, NamedChoice> {
  readonly tools?: Tool[];
  readonly tool_choice?: Exclude<ToolChoice, object> | NamedChoice;
  readonly parallel_tool_calls?: boolean;
}

/** How a protocol represents a tool, and the choice of one. */
export interface ToolForms<Tool extends object, NamedChoice> {
  /** Adds to `warnings` what cannot be sent as requested. */
  tool(spec: ToolSpec, warnings: string[]): Tool;
  named(toolName: string): NamedChoice;
}

interface TranslatedTools<Tool> {
  readonly specs: readonly ToolSpec[];
  readonly tools: Tool[];
  readonly warnings: readonly string[];
}

/**
 * Creates the function that translates tools for a protocol; `hosted` are the tools that the server executes, in its form. It caches its results, since all turns
 * of a run have the same tools.
 */
export function toolFieldsIn<Tool extends object, NamedChoice>(
  forms: ToolForms<Tool, NamedChoice>,
): (request: ModelRequest, warnings: string[], hosted?: readonly Tool[]) => ToolFields<Tool, NamedChoice> {
  const cache = new WeakMap<readonly ToolSpec[], TranslatedTools<Tool>>();
  const translate = (specs: readonly ToolSpec[]): TranslatedTools<Tool> => {
    const cached = cache.get(specs);
    // The caller of `generate` may have changed its list.
    if (cached?.specs.length === specs.length && cached.specs.every((spec, index) => spec === specs[index]))
      return cached;
    const warnings: string[] = [];
    const tools = cachedJson(specs.map((spec) => forms.tool(spec, warnings)));
    const entry = { specs: [...specs], tools, warnings };
    cache.set(specs, entry);
    return entry;
  };
  return ({ tools = [], toolChoice, parallelToolCalls }, warnings, hosted = []) => {
    const isNamed = typeof toolChoice === "object";
    if (tools.length + hosted.length === 0) {
      if (toolChoice === "required" || isNamed)
        warnings.push("toolChoice is left out: the request has no tools.");
      return {};
    }
    const entry = translate(tools);
    warnings.push(...entry.warnings);
    return {
      // Tools of the server come first, since all agents with the model share them.
      tools: hosted.length === 0 ? entry.tools : cachedJson([...hosted, ...entry.tools]),
      ...(toolChoice !== undefined && { tool_choice: isNamed ? forms.named(toolChoice.tool) : toolChoice }),
      ...(parallelToolCalls !== undefined && { parallel_tool_calls: parallelToolCalls }),
    };
  };
}

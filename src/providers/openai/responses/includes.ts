import type { ResponseIncludable } from "openai/resources/responses/responses";
import type { OpenAITool } from "../tools.ts";

/** What a request must ask for, so that the results of the tools are in the answer, by their types. */
const includes: ReadonlyMap<unknown, ResponseIncludable> = new Map<unknown, ResponseIncludable>([
  ["web_search", "web_search_call.action.sources"],
  ["file_search", "file_search_call.results"],
  ["code_interpreter", "code_interpreter_call.outputs"],
]);

/** What `include` of a request has for the tools that OpenAI executes. */
export function includesOf(tools: readonly OpenAITool[]): readonly ResponseIncludable[] {
  return tools.flatMap(({ definition }) => includes.get(definition["type"]) ?? []);
}

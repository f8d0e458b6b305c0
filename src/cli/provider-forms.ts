import { buildRequest } from "../providers/anthropic/request.ts";
import { buildRequest as googleRequest } from "../providers/google/request.ts";
import type { CheckedTool } from "../check/types.ts";
import type { ToolSpec } from "../model/types.ts";
import { chatRequest } from "../providers/openai/chat/request.ts";
import type { Place } from "../base/util/place.ts";

/** How tools can be written out. */
export type Form = "json" | "openai" | "anthropic" | "google" | "mcp";

/** The tools as Skein, a provider's API or the Model Context Protocol has them: an array, in order. */
export function inForm(form: Form, tools: readonly CheckedTool[], pathOf: (file: string) => string): unknown {
  switch (form) {
    case "json":
      return tools.map((tool) => ({ ...plainForm(tool), source: sourceOf(tool.source.place, pathOf) }));
    case "mcp":
      return tools.map(plainForm);
    case "openai":
      return toolsIn(chatRequest(openaiConnection, { messages: [], tools: tools.map(toSpec) }).body);
    case "anthropic":
      return toolsIn(buildRequest({ messages: [], tools: tools.map(toSpec) }, anthropicTarget).body);
    case "google":
      return toolsIn(googleRequest({ messages: [], tools: tools.map(toSpec) }, googleTarget).body);
  }
}

/** Where a request would go; none is sent. */
const openaiConnection = {
  provider: "openai",
  modelId: "gpt-5.2",
  host: "api.openai.com",
  isOpenAI: true,
  url: "",
  headers: {},
  fetch: undefined,
};
const googleTarget = { provider: "google", modelId: "gemini-3.8-flash", isFirstParty: true };
const anthropicTarget = { provider: "anthropic", modelId: "claude-sonnet-4-5", isFirstParty: true };

function plainForm({ name, description, inputSchema, outputSchema }: CheckedTool): object {
  return {
    name,
    ...(description !== undefined && { description }),
    inputSchema,
    ...(outputSchema && { outputSchema }),
  };
}

function toSpec({ name, description, inputSchema, strict }: CheckedTool): ToolSpec {
  return {
    name,
    ...(description !== undefined && { description }),
    inputSchema,
    ...(strict !== undefined && { strict }),
  };
}

function sourceOf({ file, line }: Place, pathOf: (file: string) => string): object {
  return { file: pathOf(file), line };
}

function toolsIn(body: object): unknown {
  return "tools" in body ? body.tools : [];
}

import type { ModelRequest } from "../../model/types.ts";
import { wireName } from "../../model/wire-names.ts";
import type { JsonObject } from "../../base/util/json.ts";
import type { ToolNames } from "../kit/tool-names.ts";
import type { Warn } from "../kit/turns.ts";

/** The longest name that every version of the API accepts. */
const maxNameLength = 64;

/** A tool name that the API accepts: it starts with a letter or an underscore. */
export function wireToolName(name: string): string {
  const wire = wireName(name, maxNameLength);
  return /^[a-zA-Z_]/.test(wire) ? wire : `_${wireName(name, maxNameLength - 1)}`;
}

/** The fields of a request that concern tools. */
export interface ToolFields {
  readonly tools?: readonly object[];
  readonly toolConfig?: JsonObject;
}

/** Translates the tools of a request and the choice among them (https://ai.google.dev/api/caching#Tool). */
export function toolFields(request: ModelRequest, names: ToolNames, warn: Warn): ToolFields {
  const { tools = [], toolChoice, parallelToolCalls } = request;
  if (tools.length === 0) {
    if (toolChoice === "required" || typeof toolChoice === "object")
      warn("toolChoice is left out: the request has no tools.");
    return {};
  }
  if (parallelToolCalls === false) warn("The Gemini API does not support parallelToolCalls: it is left out.");
  const functionDeclarations = tools.map(({ name, description, inputSchema }) => ({
    name: names.toWire(name),
    ...(description !== undefined && { description }),
    parametersJsonSchema: inputSchema,
  }));
  const functionCallingConfig = callingConfig(request, names);
  return {
    tools: [{ functionDeclarations }],
    ...(functionCallingConfig && { toolConfig: { functionCallingConfig } }),
  };
}

/** `VALIDATED` leaves the choice to the model and enforces the schemas of arguments, as `ANY` does anyway. */
function callingConfig({ tools = [], toolChoice }: ModelRequest, names: ToolNames): JsonObject | undefined {
  if (typeof toolChoice === "object")
    return { mode: "ANY", allowedFunctionNames: [names.toWire(toolChoice.tool)] };
  if (toolChoice === "required") return { mode: "ANY" };
  if (toolChoice === "none") return { mode: "NONE" };
  if (tools.some(({ strict }) => strict)) return { mode: "VALIDATED" };
  return toolChoice && { mode: "AUTO" };
}

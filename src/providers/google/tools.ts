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

/** What a request offers beside its functions, and the names of these. */
interface OfferedTools {
  readonly names: ToolNames;
  /** The tools that Google executes, in its form. */
  readonly hosted: readonly JsonObject[];
}

/** Translates the tools of a request and the choice among them (https://ai.google.dev/api/caching#Tool). */
export function toolFields(request: ModelRequest, { names, hosted }: OfferedTools, warn: Warn): ToolFields {
  const { tools = [], toolChoice, parallelToolCalls } = request;
  if (tools.length === 0) {
    if (toolChoice === "required" || typeof toolChoice === "object")
      warn("toolChoice is left out: the request has no tools.");
    return hosted.length > 0 ? { tools: hosted } : {};
  }
  if (parallelToolCalls === false) warn("The Gemini API does not support parallelToolCalls: it is left out.");
  const functionDeclarations = tools.map(({ name, description, inputSchema }) => ({
    name: names.toWire(name),
    ...(description !== undefined && { description }),
    parametersJsonSchema: inputSchema,
  }));
  const functionCallingConfig = callingConfig(request, names);
  const toolConfig: JsonObject = {
    ...(functionCallingConfig && { functionCallingConfig }),
    // Without it, the API refuses both together. Its calls and results are then parts of the answer, and go on in the next request.
    ...(hosted.length > 0 && { includeServerSideToolInvocations: true }),
  };
  return {
    tools: [...hosted, { functionDeclarations }],
    ...(Object.keys(toolConfig).length > 0 && { toolConfig }),
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

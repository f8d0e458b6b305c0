import type {
  ChatCompletionCreateParamsStreaming,
  ChatCompletionTool,
  ChatCompletionToolChoiceOption,
} from "openai/resources/chat/completions";
import type { ModelRequest, ModelSettings, ToolChoice, ToolSpec } from "../../model/types.ts";
import { wireName } from "../../model/wire-names.ts";
import type { Connection } from "../options.ts";
import { jsonSchemaFormat } from "../output-format.ts";
import { withProviderOptions } from "../provider-options.ts";
import { strictFields } from "../strict-fields.ts";
import { chatMessages } from "./messages.ts";

/** A request's body, and what of the request it cannot say. */
export interface EncodedRequest {
  readonly body: object;
  readonly warnings: readonly string[];
}

/** Writes a request for Chat Completions (https://platform.openai.com/docs/api-reference/chat/create). */
export function chatRequest(connection: Connection, request: ModelRequest): EncodedRequest {
  const { settings } = request;
  const { messages, warnings } = chatMessages(request.instructions, request.messages, connection);
  const body: ChatCompletionCreateParamsStreaming = {
    model: connection.modelId,
    messages,
    ...toolFields(request, warnings),
    ...(request.output && {
      response_format: { type: "json_schema", json_schema: jsonSchemaFormat(request.output, warnings) },
    }),
    ...(settings && settingFields(settings, connection.isOpenAI)),
    stream: true,
    stream_options: { include_usage: true },
  };
  return { body: withProviderOptions(body, settings?.providerOptions), warnings };
}

function toolFields(
  request: ModelRequest,
  warnings: string[],
): Partial<Pick<ChatCompletionCreateParamsStreaming, "tools" | "tool_choice" | "parallel_tool_calls">> {
  const { tools = [], toolChoice, parallelToolCalls } = request;
  if (tools.length === 0) {
    if (toolChoice === "required" || typeof toolChoice === "object") {
      warnings.push("toolChoice was left out: the request has no tools.");
    }
    return {};
  }
  return {
    tools: tools.map((tool) => wireTool(tool, warnings)),
    ...(toolChoice !== undefined && { tool_choice: wireToolChoice(toolChoice) }),
    ...(parallelToolCalls !== undefined && { parallel_tool_calls: parallelToolCalls }),
  };
}

/** What tools became, with what of them could not be said: a run asks with the same tools again and again. */
const written = new WeakMap<
  ToolSpec,
  { readonly tool: ChatCompletionTool; readonly warnings: readonly string[] }
>();

function wireTool(spec: ToolSpec, warnings: string[]): ChatCompletionTool {
  let entry = written.get(spec);
  if (!entry) {
    const own: string[] = [];
    entry = { tool: writeTool(spec, own), warnings: own };
    written.set(spec, entry);
  }
  warnings.push(...entry.warnings);
  return entry.tool;
}

function writeTool(tool: ToolSpec, warnings: string[]): ChatCompletionTool {
  const { parameters, strict } = strictFields(tool, warnings);
  return {
    type: "function",
    function: {
      name: wireName(tool.name),
      ...(tool.description !== undefined && { description: tool.description }),
      parameters,
      ...(strict !== undefined && { strict }),
    },
  };
}

function wireToolChoice(choice: ToolChoice): ChatCompletionToolChoiceOption {
  return typeof choice === "string"
    ? choice
    : { type: "function", function: { name: wireName(choice.tool) } };
}

/** The settings in Chat Completions' words; it knows them all. */
function settingFields(
  settings: ModelSettings,
  isOpenAI: boolean,
): Partial<ChatCompletionCreateParamsStreaming> {
  const { temperature, topP, maxOutputTokens, stopSequences, seed, presencePenalty, frequencyPenalty } =
    settings;
  const { reasoningEffort, logprobs, topLogprobs } = settings;
  return {
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
    // OpenAI's reasoning models refuse the older name, and many compatible servers do not know the newer one.
    ...(maxOutputTokens !== undefined && {
      [isOpenAI ? "max_completion_tokens" : "max_tokens"]: maxOutputTokens,
    }),
    ...(stopSequences !== undefined && stopSequences.length > 0 && { stop: [...stopSequences] }),
    ...(seed !== undefined && { seed }),
    ...(presencePenalty !== undefined && { presence_penalty: presencePenalty }),
    ...(frequencyPenalty !== undefined && { frequency_penalty: frequencyPenalty }),
    ...(reasoningEffort !== undefined && { reasoning_effort: reasoningEffort }),
    ...((logprobs || topLogprobs !== undefined) && { logprobs: true }),
    ...(topLogprobs !== undefined && { top_logprobs: topLogprobs }),
  };
}

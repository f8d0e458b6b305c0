import type {
  ChatCompletionCreateParamsStreaming,
  ChatCompletionNamedToolChoice,
  ChatCompletionTool,
} from "openai/resources/chat/completions";
import type { ModelRequest, ModelSettings } from "../../../model/types.ts";
import { wireName } from "../../../model/wire-names.ts";
import { cachedJson } from "../../../model/wire-text.ts";
import type { EncodedRequest } from "../../kit/http-model.ts";
import { joinFields } from "../../kit/join-fields.ts";
import type { Connection } from "../options.ts";
import { jsonSchemaFormat } from "../output-format.ts";
import { cacheFields } from "../prompt-cache.ts";
import { dropUnsupported, renameFields } from "../servers.ts";
import { strictFields } from "../strict-fields.ts";
import { joinRules, toolFieldsIn } from "../tool-fields.ts";
import { chatMessages } from "./messages.ts";

/** Translates a request for Chat Completions (https://platform.openai.com/docs/api-reference/chat/create). */
export function chatRequest(connection: Connection, original: ModelRequest): EncodedRequest {
  const { messages, warnings } = chatMessages(original.instructions, original.messages, connection);
  const request = dropUnsupported(original, connection, warnings);
  const { settings } = request;
  const body: ChatCompletionCreateParamsStreaming = {
    model: connection.modelId,
    messages: cachedJson(messages),
    ...toolFields(request, warnings),
    ...(request.output && {
      response_format: { type: "json_schema", json_schema: jsonSchemaFormat(request.output, warnings) },
    }),
    ...(settings && settingFields(settings, connection.isOpenAI)),
    ...cacheFields(connection, original, warnings),
    stream: true,
    stream_options: { include_usage: true },
  };
  return { body: joinFields(renameFields(connection, body), settings?.providerOptions, joinRules), warnings };
}

const toolFields = toolFieldsIn<ChatCompletionTool, ChatCompletionNamedToolChoice>({
  tool: (tool, warnings) => {
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
  },
  named: (toolName) => ({ type: "function", function: { name: wireName(toolName) } }),
});

/** The settings in the form of Chat Completions, which supports them all. */
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
    // OpenAI's reasoning models refuse the older name, and many compatible servers do not support the newer one.
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

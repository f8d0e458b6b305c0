import type {
  FunctionTool,
  ResponseCreateParamsStreaming,
  ResponseIncludable,
  ToolChoiceFunction,
} from "openai/resources/responses/responses";
import type { ModelRequest, ModelSettings } from "../../../model/types.ts";
import type { JsonObject } from "../../../base/util/json.ts";
import { wireName } from "../../../model/wire-names.ts";
import { cachedJson } from "../../../model/wire-text.ts";
import { joinFields } from "../../kit/join-fields.ts";
import type { Connection } from "../options.ts";
import { jsonSchemaFormat } from "../output-format.ts";
import { cacheFields } from "../prompt-cache.ts";
import { dropUnsupported, nonReasoning } from "../servers.ts";
import { strictFields } from "../strict-fields.ts";
import { joinRules, toolFieldsIn } from "../tool-fields.ts";
import { includesOf } from "./includes.ts";
import { inputItems } from "./input.ts";

/** Settings that the Responses API does not support. */
const unsupportedSettings = ["stopSequences", "seed", "presencePenalty", "frequencyPenalty"] as const;

/** The shortest lifetime of at least an hour. Chat Completions does not have it. */
const keptForHour = { prompt_cache_options: { ttl: "12h" } } as const;

/**
 * Translates a request for the Responses API (https://platform.openai.com/docs/api-reference/responses/create). The server
 * stores nothing: each request has the whole history, with encrypted reasoning.
 */
export function responsesRequest(
  connection: Connection,
  original: ModelRequest,
): { readonly body: object; readonly warnings: readonly string[] } {
  const { modelId, provider, isOpenAI, providerTools = [] } = connection;
  const warnings: string[] = [];
  const request = dropUnsupported(original, connection, warnings);
  const { settings = {}, instructions } = request;
  const isStored = settings.providerOptions?.["store"] === true;
  for (const name of unsupportedSettings)
    if (settings[name] !== undefined)
      warnings.push(`settings.${name} is left out: the Responses API does not support it.`);
  const input = inputItems(request.messages, { provider, modelId, isOpenAI, isStored });
  warnings.push(...input.warnings);
  const reasons = !isOpenAI || !nonReasoning.test(modelId);
  const body = {
    model: modelId,
    ...(instructions && { instructions }),
    input: cachedJson(input.items),
    ...toolFields(
      request,
      warnings,
      providerTools.map(({ definition }) => definition),
    ),
    ...(request.output && {
      text: { format: { type: "json_schema", ...jsonSchemaFormat(request.output, warnings) } },
    }),
    ...settingFields(settings, [...(reasons ? [encryptedReasoning] : []), ...includesOf(providerTools)]),
    ...cacheFields(connection, original, warnings, keptForHour),
    store: false,
    stream: true,
  };
  return { body: joinFields(body, settings.providerOptions, joinRules), warnings };
}

const toolFields = toolFieldsIn<FunctionTool | JsonObject, ToolChoiceFunction>({
  tool: (tool, warnings) => {
    const { parameters, strict } = strictFields(tool, warnings);
    return {
      type: "function",
      name: wireName(tool.name),
      ...(tool.description !== undefined && { description: tool.description }),
      parameters,
      // Without this field, the API applies strict mode, and refuses schemas that are not strict.
      strict: strict ?? false,
    };
  },
  named: (toolName) => ({ type: "function", name: wireName(toolName) }),
});

/** Without it, the reasoning of a turn could not be sent back. */
const encryptedReasoning: ResponseIncludable = "reasoning.encrypted_content";

function settingFields(
  settings: ModelSettings,
  included: readonly ResponseIncludable[],
): Partial<ResponseCreateParamsStreaming> {
  const { temperature, topP, maxOutputTokens, reasoningEffort, logprobs, topLogprobs } = settings;
  const include = [...included];
  if (logprobs || topLogprobs !== undefined) include.push("message.output_text.logprobs");
  return {
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
    ...(maxOutputTokens !== undefined && { max_output_tokens: maxOutputTokens }),
    ...(reasoningEffort !== undefined && { reasoning: { effort: reasoningEffort } }),
    ...(topLogprobs !== undefined && { top_logprobs: topLogprobs }),
    ...(include.length > 0 && { include }),
  };
}

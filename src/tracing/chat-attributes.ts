import type { Attributes } from "@opentelemetry/api";
import type { Usage } from "../message/messages.ts";
import type { AttemptFailure, Generation, Model, ModelRequest, ModelSettings } from "../model/types.ts";
import { type ContentWriter, finishReasonName } from "./content.ts";
import { errorType } from "./error-type.ts";
import { attribute, failureAttribute, operations, providerName } from "./names.ts";

/** The longest id or name that a provider may have written, in characters. */
const longestName = 200;

/** What is asked, and of whom. */
export function chatAttributes({ settings, messages, output }: ModelRequest, model: Model): Attributes {
  const attributes: Attributes = {
    [attribute.operation]: operations.chat,
    [attribute.provider]: providerName(model.provider),
    [attribute.requestModel]: model.modelId,
    [attribute.stream]: true,
  };
  if (settings) addSettings(attributes, settings);
  if (output) attributes[attribute.outputType] = "json";
  if (isCompacted(messages)) attributes[attribute.compacted] = true;
  return attributes;
}

function addSettings(attributes: Attributes, settings: ModelSettings): void {
  const values = {
    [attribute.maxTokens]: settings.maxOutputTokens,
    [attribute.temperature]: settings.temperature,
    [attribute.topP]: settings.topP,
    [attribute.seed]: settings.seed,
    [attribute.frequencyPenalty]: settings.frequencyPenalty,
    [attribute.presencePenalty]: settings.presencePenalty,
    [attribute.reasoningLevel]: settings.reasoningEffort,
    [attribute.stopSequences]: settings.stopSequences?.slice(),
  };
  for (const [name, value] of Object.entries(values)) if (value !== undefined) attributes[name] = value;
}

/** A summary of what is left out stands in front. */
function isCompacted(messages: ModelRequest["messages"]): boolean {
  for (let index = 0; index < 3; index++) {
    const message = messages[index];
    if (message?.role === "user" && message.summaryOf !== undefined) return true;
  }
  return false;
}

/** What a model is sent. */
export function requestContent(
  { instructions, messages, tools = [] }: ModelRequest,
  writer: ContentWriter,
): Readonly<Record<string, string>> {
  return {
    [attribute.inputMessages]: writer.inputMessages(messages),
    ...(instructions !== undefined && { [attribute.instructions]: writer.instructions(instructions) }),
    ...(tools.length > 0 && { [attribute.toolDefinitions]: writer.toolDefinitions(tools) }),
  };
}

/** An attempt that failed. */
export function failureAttributes(
  { provider, modelId, error, delayMs }: AttemptFailure,
  attempt: number,
): Attributes {
  return {
    [failureAttribute.provider]: providerName(provider),
    [failureAttribute.model]: modelId,
    [failureAttribute.attempt]: attempt,
    [failureAttribute.delay]: Math.round(delayMs),
    [attribute.errorType]: errorType(error),
  };
}

/** What became of a request. */
export function answerAttributes({ finishReason, response, timing }: Generation, model: Model): Attributes {
  const { id, modelId, provider } = response;
  const attributes: Attributes = {
    [attribute.finishReasons]: [finishReasonName(finishReason)],
    [attribute.responseModel]: modelId.slice(0, longestName),
  };
  if (id !== undefined) attributes[attribute.responseId] = id.slice(0, longestName);
  if (timing.firstTokenMs !== undefined) attributes[attribute.firstChunk] = timing.firstTokenMs / 1000;
  if (provider !== undefined && provider !== model.provider)
    attributes[attribute.provider] = providerName(provider);
  return attributes;
}

/** Where requests go. */
export function serverAttributes(origin: string): Attributes {
  const { hostname, port, protocol } = URL.parse(origin) ?? {};
  if (!hostname) return {};
  const usual = protocol === "http:" ? 80 : 443;
  return { [attribute.serverAddress]: hostname, [attribute.serverPort]: port ? Number(port) : usual };
}

/** How many tokens were used. */
export function usageAttributes(usage: Usage): Attributes {
  const { inputTokens, outputTokens, cachedInputTokens, cacheWriteTokens, reasoningTokens } = usage;
  const attributes: Attributes = {};
  if (inputTokens !== undefined) attributes[attribute.inputTokens] = inputTokens;
  if (outputTokens !== undefined) attributes[attribute.outputTokens] = outputTokens;
  if (cachedInputTokens !== undefined) attributes[attribute.cacheRead] = cachedInputTokens;
  if (reasoningTokens !== undefined) attributes[attribute.reasoningTokens] = reasoningTokens;
  if (cacheWriteTokens === undefined) return attributes;
  attributes[attribute.cacheWrite] = cacheWriteTokens;
  attributes[attribute.cacheCreation] = cacheWriteTokens;
  return attributes;
}

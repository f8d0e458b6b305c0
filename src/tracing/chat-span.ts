import type { Attributes } from "@opentelemetry/api";
import type { Usage } from "../message/messages.ts";
import type { AttemptFailure, Generation, ModelRequest } from "../model/types.ts";
import type { ModelStepInfo } from "../tool/step-middleware.ts";
import { type ContentWriter, finishReasonName } from "./content.ts";
import { errorType } from "./error-type.ts";
import { attribute, failureAttribute, operations, providerName, spanEvent } from "./names.ts";
import type { OpenSpan } from "./open-span.ts";

/** The longest id or name that a provider may have written, in characters. */
const longestName = 200;

/** What samplers may go by. */
export function chatStart({ model }: ModelStepInfo): Attributes {
  return {
    [attribute.operation]: operations.chat,
    [attribute.provider]: providerName(model.provider),
    [attribute.requestModel]: model.modelId,
    [attribute.stream]: true,
  };
}

/** Says what is asked of the model. */
export function describeRequest(span: OpenSpan, { settings = {}, messages, output }: ModelRequest): void {
  span.set(attribute.maxTokens, settings.maxOutputTokens);
  span.set(attribute.temperature, settings.temperature);
  span.set(attribute.topP, settings.topP);
  span.set(attribute.stopSequences, settings.stopSequences?.slice());
  span.set(attribute.seed, settings.seed);
  span.set(attribute.frequencyPenalty, settings.frequencyPenalty);
  span.set(attribute.presencePenalty, settings.presencePenalty);
  span.set(attribute.reasoningLevel, settings.reasoningEffort);
  if (output) span.set(attribute.outputType, "json");
  // A summary stands in front.
  const isCompacted = messages
    .slice(0, 3)
    .some((each) => each.role === "user" && each.summaryOf !== undefined);
  if (isCompacted) span.set(attribute.compacted, true);
}

/** Writes down what the model is sent, and returns the messages as they are written. */
export function writeRequest(span: OpenSpan, request: ModelRequest, writer: ContentWriter): string {
  const { instructions, messages, tools = [] } = request;
  if (instructions !== undefined) span.set(attribute.instructions, writer.instructions(instructions));
  const text = writer.inputMessages(messages);
  span.set(attribute.inputMessages, text);
  if (tools.length > 0) span.set(attribute.toolDefinitions, writer.toolDefinitions(tools));
  return text;
}

/** Notes an attempt that failed. */
export function noteFailure(span: OpenSpan, failure: AttemptFailure, attempt: number): void {
  if (!span.isRecording || span.isEnded) return;
  const { provider, modelId, error, next, delayMs } = failure;
  span.span.addEvent(spanEvent[next], {
    [failureAttribute.provider]: providerName(provider),
    [failureAttribute.model]: modelId,
    [failureAttribute.attempt]: attempt,
    [failureAttribute.delay]: Math.round(delayMs),
    [attribute.errorType]: errorType(error),
  });
}

/** Says what became of it. */
export function describeAnswer(
  span: OpenSpan,
  { finishReason, response }: Generation,
  { attempts, model }: ModelStepInfo,
): void {
  span.set(attribute.finishReasons, [finishReasonName(finishReason)]);
  span.set(attribute.responseId, response.id?.slice(0, longestName));
  span.set(attribute.responseModel, response.modelId.slice(0, longestName));
  if (response.provider !== undefined && response.provider !== model.provider)
    span.set(attribute.provider, providerName(response.provider));
  if (attempts !== 1) span.set(attribute.attempts, attempts);
}

/** Where the requests went. */
export function describeServer(span: OpenSpan, url: string | undefined): void {
  const { hostname, port, protocol } = (url !== undefined && URL.parse(url)) || {};
  if (!hostname) return;
  span.set(attribute.serverAddress, hostname);
  span.set(attribute.serverPort, port ? Number(port) : protocol === "http:" ? 80 : 443);
}

/** Says how many tokens were used. */
export function describeUsage(span: OpenSpan, usage: Usage): void {
  const figures: readonly (readonly [string, number | undefined])[] = [
    [attribute.inputTokens, usage.inputTokens],
    [attribute.outputTokens, usage.outputTokens],
    [attribute.cacheRead, usage.cachedInputTokens],
    [attribute.cacheWrite, usage.cacheWriteTokens],
    [attribute.cacheCreation, usage.cacheWriteTokens],
    [attribute.reasoningTokens, usage.reasoningTokens],
  ];
  for (const [name, figure] of figures) span.set(name, figure);
}

import type { Attributes } from "@opentelemetry/api";
import type { Usage } from "../message/messages.ts";
import type { Generation, Model, ModelRequest } from "../model/types.ts";
import type { AnswerInfo } from "../run/steps/instrument.ts";
import {
  answerAttributes,
  chatAttributes,
  failureAttributes,
  requestContent,
  serverAttributes,
  usageAttributes,
} from "./chat-attributes.ts";
import type { OpenTelemetry } from "./api.ts";
import type { ContentWriter } from "./content.ts";
import { AnswerLaterError } from "../model/answer-later.ts";
import { emitDetails } from "./details.ts";
import { errorType } from "./error-type.ts";
import type { Metrics } from "./metrics.ts";
import { attribute, operations, providerName, spanEvent } from "./names.ts";
import type { OpenSpan } from "./open-span.ts";
import { cancelled, type RunTrace } from "./run-trace.ts";
import type { Settings } from "./settings.ts";

/** What a model call is part of: a run, or nothing. */
export interface ChatScope {
  readonly api: OpenTelemetry;
  readonly settings: Settings;
  readonly metrics: Metrics | undefined;
  readonly writer: ContentWriter;
  /** Attributes of all spans. */
  readonly common: Attributes;
  addUsage(usage: Usage): void;
  /** Ends the span: with the class of its error, if it has failed. */
  close(span: OpenSpan, type?: string, error?: unknown): void;
}

/** The span of a model call. */
export interface OpenChat {
  readonly span: OpenSpan;
  readonly model: Model;
  readonly request: ModelRequest;
  /** What the model is sent, where somebody wants to know. */
  readonly content: Readonly<Record<string, string>>;
}

/** Asks a model within its span, which is active meanwhile. */
export async function traceChat(
  trace: RunTrace,
  request: ModelRequest,
  info: AnswerInfo,
  next: (request: ModelRequest) => Promise<Generation>,
): Promise<Generation> {
  const { model, agent, parent, signal } = info;
  trace.activate(agent);
  const span = trace.start(
    chatName(model),
    trace.api.SpanKind.CLIENT,
    chatAttributes(request, model),
    parent,
  );
  const chat = openChat(trace, span, model, request);
  trace.noteInput(trace.settings.hasMessages ? chat.content[attribute.inputMessages] : undefined);
  try {
    const generation = await trace.api.context.with(
      span.context,
      next,
      undefined,
      withFailures(request, span),
    );
    const usage = info.attempts.usage ?? generation.usage;
    endChat(trace, chat, { generation, usage });
    return generation;
  } catch (error) {
    const { usage } = info.attempts;
    // It has not failed: the run is left until the answer is there.
    if (error instanceof AnswerLaterError) endChat(trace, chat, { usage });
    else endChat(trace, chat, { usage, type: signal.aborted ? cancelled : errorType(error), error });
    throw error;
  }
}

/** The name of the span of a model call. */
export function chatName({ modelId }: Model): string {
  return `${operations.chat} ${modelId}`;
}

/** Shows what a model is sent. */
export function openChat(
  { settings, writer }: ChatScope,
  span: OpenSpan,
  model: Model,
  request: ModelRequest,
): OpenChat {
  const isWanted = span.isRecording && (settings.hasMessages || settings.hasEvents);
  const content = isWanted ? requestContent(request, writer) : {};
  if (settings.hasMessages) span.add(content);
  return { span, model, request, content };
}

/** Has attempts that fail noted, and reported to other readers. */
export function withFailures(request: ModelRequest, span: OpenSpan): ModelRequest {
  let attempt = 0;
  return {
    ...request,
    onFailure: (failure) => {
      attempt++;
      if (span.isRecording) span.note(spanEvent[failure.next], failureAttributes(failure, attempt));
      request.onFailure?.(failure);
    },
  };
}

/** What became of a model call. */
interface ChatEnd {
  readonly generation?: Generation;
  readonly usage: Usage | undefined;
  /** The class of the error, if it failed. */
  readonly type?: string;
  readonly error?: unknown;
}

/** Ends the span of a model call. */
export function endChat(scope: ChatScope, chat: OpenChat, end: ChatEnd): void {
  const { span, model } = chat;
  // The run has ended without it.
  if (span.isEnded) return;
  const { usage, type, error } = end;
  if (span.isRecording) show(scope, chat, end);
  if (usage) scope.addUsage(usage);
  if (scope.metrics) measure(scope.metrics, span, model, end);
  scope.close(span, type, error);
}

function show(
  { api, settings, writer, common }: ChatScope,
  { span, model, request, content }: OpenChat,
  { generation, usage, type }: ChatEnd,
): void {
  const attributes: Attributes = {
    ...(usage && usageAttributes(usage)),
    ...(generation && answerAttributes(generation, model)),
    ...(model.origin !== undefined && serverAttributes(model.origin)),
  };
  span.add(attributes);
  if (!settings.hasMessages && !settings.hasEvents) return;
  const answer = generation && { [attribute.outputMessages]: writer.outputMessages(generation) };
  if (settings.hasMessages && answer) span.add(answer);
  if (settings.hasEvents)
    emitDetails(api, span.context, {
      ...chatAttributes(request, model),
      ...common,
      ...attributes,
      ...(type !== undefined && { [attribute.errorType]: type }),
      ...content,
      ...answer,
    });
}

function measure(metrics: Metrics, span: OpenSpan, model: Model, { generation, usage, type }: ChatEnd): void {
  metrics.chat({
    provider: providerName(generation?.response.provider ?? model.provider),
    requestModel: model.modelId,
    responseModel: generation?.response.modelId,
    errorType: type,
    seconds: span.seconds,
    firstChunkMs: generation?.timing.firstTokenMs,
    usage,
  });
}

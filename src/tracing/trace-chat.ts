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
import { errorType } from "./error-type.ts";
import type { Metrics } from "./metrics.ts";
import { attribute, operations, providerName, spanEvent } from "./names.ts";
import type { OpenSpan } from "./open-span.ts";
import { cancelled, type RunTrace } from "./run-trace.ts";

/** Asks a model within its span, which is active meanwhile. */
export async function traceChat(
  trace: RunTrace,
  request: ModelRequest,
  info: AnswerInfo,
  next: (request: ModelRequest) => Promise<Generation>,
): Promise<Generation> {
  const { model, agent, parent, signal } = info;
  trace.activate(agent);
  const name = `${operations.chat} ${model.modelId}`;
  const span = trace.start(name, trace.api.SpanKind.CLIENT, chatAttributes(request, model), parent);
  if (span.isRecording && trace.settings.hasMessages) showRequest(trace, span, request);
  try {
    const watched = withFailures(request, span);
    const generation = await trace.api.context.with(span.context, next, undefined, watched);
    const usage = info.attempts.usage ?? generation.usage;
    endChat(trace, span, model, { generation, usage });
    return generation;
  } catch (error) {
    const type = signal.aborted ? cancelled : errorType(error);
    endChat(trace, span, model, { usage: info.attempts.usage, type, error });
    throw error;
  }
}

function showRequest(trace: RunTrace, span: OpenSpan, request: ModelRequest): void {
  const content = requestContent(request, trace.writer);
  span.add(content);
  trace.noteInput(content[attribute.inputMessages]);
}

/** Has attempts that fail noted, and reported to other readers. */
function withFailures(request: ModelRequest, span: OpenSpan): ModelRequest {
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

function endChat(trace: RunTrace, span: OpenSpan, model: Model, end: ChatEnd): void {
  // The run has ended without it.
  if (span.isEnded) return;
  const { generation, usage, type, error } = end;
  if (span.isRecording) {
    if (usage) span.add(usageAttributes(usage));
    if (generation) span.add(answerAttributes(generation, model));
    if (model.origin !== undefined) span.add(serverAttributes(model.origin));
    if (generation && trace.settings.hasMessages)
      span.set(attribute.outputMessages, trace.writer.outputMessages(generation));
  }
  if (usage) trace.addUsage(usage);
  if (trace.metrics) measure(trace.metrics, span, model, end);
  trace.close(span, type, error);
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

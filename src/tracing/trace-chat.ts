import type { Generation, ModelEvent, ModelRequest } from "../model/types.ts";
import type { ModelStepInfo } from "../tool/step-middleware.ts";
import {
  chatStart,
  describeAnswer,
  describeRequest,
  describeServer,
  describeUsage,
  noteFailure,
  writeRequest,
} from "./chat-span.ts";
import { errorType } from "./error-type.ts";
import { attribute, operations, providerName } from "./names.ts";
import type { OpenSpan } from "./open-span.ts";
import { cancelled, type RunTrace } from "./run-trace.ts";

/** Asks a model within its span, which is active while the answer comes. */
export async function* traceChat(
  trace: RunTrace,
  request: ModelRequest,
  info: ModelStepInfo,
  next: (request: ModelRequest) => AsyncIterable<ModelEvent>,
): AsyncGenerator<ModelEvent, void> {
  trace.activate(info.agent);
  const { api } = trace;
  const name = `${operations.chat} ${info.model.modelId}`;
  const span = trace.start(name, api.SpanKind.CLIENT, chatStart(info), info);
  if (span.isRecording) showRequest(trace, span, request);
  const answer = new TracedAnswer(trace, span, info);
  const events = next(withFailures(request, span))[Symbol.asyncIterator]();
  const read = (): Promise<IteratorResult<ModelEvent, unknown>> => events.next();
  try {
    for (;;) {
      const event = await api.context.with(span.context, read);
      if (event.done) break;
      answer.note(event.value);
      yield event.value;
    }
  } catch (error) {
    answer.end(info.signal.aborted ? cancelled : errorType(error), error);
    throw error;
  } finally {
    // Nobody reads on.
    if (!answer.isOver) await events.return?.();
    answer.end(answer.generation ? undefined : cancelled);
  }
}

function showRequest(trace: RunTrace, span: OpenSpan, request: ModelRequest): void {
  describeRequest(span, request);
  if (!trace.settings.hasMessages) return;
  const messages = writeRequest(span, request, trace.writer);
  trace.noteInput(messages);
}

/** Has attempts that fail noted, and reported to other readers. */
function withFailures(request: ModelRequest, span: OpenSpan): ModelRequest {
  let attempt = 0;
  return {
    ...request,
    onFailure: (failure) => {
      noteFailure(span, failure, ++attempt);
      request.onFailure?.(failure);
    },
  };
}

/** What is seen of an answer while it comes. */
class TracedAnswer {
  generation: Generation | undefined;
  isOver = false;
  readonly #trace: RunTrace;
  readonly #span: OpenSpan;
  readonly #info: ModelStepInfo;
  #firstChunk: number | undefined;

  constructor(trace: RunTrace, span: OpenSpan, info: ModelStepInfo) {
    this.#trace = trace;
    this.#span = span;
    this.#info = info;
  }

  note(event: ModelEvent): void {
    if (event.type === "finish") this.generation = event.generation;
    else this.#firstChunk ??= this.#span.seconds;
  }

  /** @param type - The class of the error, if it failed. */
  end(type: string | undefined, error?: unknown): void {
    if (this.isOver) return;
    this.isOver = true;
    const { generation } = this;
    const span = this.#span;
    const trace = this.#trace;
    const { model, usage } = this.#info;
    if (span.isEnded) return;
    if (span.isRecording) {
      span.set(attribute.firstChunk, this.#firstChunk);
      describeServer(span, model.url);
      describeUsage(span, usage);
      if (generation) describeAnswer(span, generation, this.#info);
      if (generation && trace.settings.hasMessages)
        span.set(attribute.outputMessages, trace.writer.outputMessages(generation));
    }
    trace.addUsage(usage);
    trace.metrics.chat({
      provider: providerName(generation?.response.provider ?? model.provider),
      requestModel: model.modelId,
      responseModel: generation?.response.modelId,
      errorType: type,
      seconds: span.seconds,
      firstChunkSeconds: this.#firstChunk,
      usage,
    });
    trace.close(span, type, error);
  }
}

import type { Generation, Model, ModelEvent, ModelRequest } from "../model/types.ts";
import type { AnswerWatch } from "../run/steps/answer-watch.ts";
import { loadApi, loadedApi, type OpenTelemetry } from "./api.ts";
import { chatAttributes } from "./chat-attributes.ts";
import { ContentWriter } from "./content.ts";
import { errorType } from "./error-type.ts";
import { metricsOf } from "./metrics.ts";
import { endSpan, OpenSpan } from "./open-span.ts";
import { attributesOf } from "./own-attributes.ts";
import { cancelled } from "./run-trace.ts";
import type { Settings } from "./settings.ts";
import { type ChatScope, chatName, endChat, openChat, withFailures } from "./trace-chat.ts";

/** What makes the spans of answers outside of runs. */
export function traceAnswers(settings: Settings): AnswerWatch {
  return async function* traceAnswer(model, request, next) {
    yield* within(loadedApi() ?? (await loadApi()), settings, model, request, next);
  };
}

async function* within(
  api: OpenTelemetry,
  settings: Settings,
  model: Model,
  request: ModelRequest,
  next: Parameters<AnswerWatch>[2],
): AsyncGenerator<ModelEvent, void> {
  const scope = scopeOf(api, settings);
  const span = new OpenSpan({ api, tracer: api.trace.getTracer("skein") }, api.context.active(), {
    name: chatName(model),
    kind: api.SpanKind.CLIENT,
    attributes: { ...chatAttributes(request, model), ...scope.common },
  });
  const chat = openChat(scope, span, model, request);
  // A generator goes on in the context of its reader.
  const active = <T>(work: () => T): T => api.context.with(span.context, work);
  const events = active(() => next(withFailures(request, span)));
  let generation: Generation | undefined;
  try {
    for (;;) {
      const { done, value } = await active(() => events.next());
      if (done) break;
      if (value.type === "finish") {
        ({ generation } = value);
        endChat(scope, chat, { generation, usage: generation.usage });
      }
      yield value;
    }
  } catch (error) {
    const type = request.signal?.aborted ? cancelled : errorType(error);
    endChat(scope, chat, { usage: undefined, type, error });
    throw error;
  } finally {
    // Its reader has left.
    endChat(scope, chat, { usage: undefined, type: cancelled });
    await active(() => events.return());
  }
}

function scopeOf(api: OpenTelemetry, settings: Settings): ChatScope {
  const writer = new ContentWriter(settings.maxChars);
  return {
    api,
    settings,
    metrics: metricsOf(api, settings.hasLatestMetrics),
    writer,
    common: attributesOf(settings),
    addUsage: () => {},
    close: (span, type, error) => endSpan(span, settings, writer, type, error),
  };
}

import { openStream } from "./open-stream.ts";
import type { Model, ModelEvent, ModelRequest } from "./types.ts";

/** The `stream` functions that apply `settings.timeout` themselves, or leave it to the models that they call. */
const selfTimed = new WeakSet<Model["stream"]>();

/**
 * Marks a `stream` function that applies `settings.timeout` itself, or that may take longer than the models it calls, such as a retry.
 * Whatever calls another model does so with `modelEvents`.
 */
export function markSelfTimed(stream: Model["stream"]): Model["stream"] {
  selfTimed.add(stream);
  return stream;
}

/** The events of one answer. `settings.timeout` holds for every model, also for one that knows nothing of it. */
export function modelEvents(model: Model, request: ModelRequest): AsyncIterable<ModelEvent> {
  const timeout = request.settings?.timeout;
  // oxlint-disable-next-line typescript/unbound-method -- looked up, not called
  if (timeout === undefined || selfTimed.has(model.stream)) return openStream(model, request);
  return loadTimedEvents(model, request, timeout);
}

/** Loaded by requests that need it: the models of providers do not. */
async function* loadTimedEvents(
  model: Model,
  request: ModelRequest,
  timeout: number,
): AsyncGenerator<ModelEvent, void> {
  const { timedEvents } = await import("./timed-events.ts");
  yield* timedEvents(model, request, timeout);
}

import { ignoreFailure } from "../base/util/ignore-failure.ts";
import { openStream } from "./open-stream.ts";
import type { Model, ModelEvent, ModelRequest } from "./types.ts";
import { Watch } from "./watch.ts";

/**
 * The events of one answer of a model that does not apply `settings.timeout` itself. Its request has a signal that is aborted once
 * nothing has come for `timeout` milliseconds; what it does after that is dropped.
 * @throws ModelTimeoutError
 */
export async function* timedEvents(
  model: Model,
  request: ModelRequest,
  timeout: number,
): AsyncGenerator<ModelEvent, void> {
  request.signal?.throwIfAborted();
  const watch = new Watch(request.signal, timeout, model);
  const { signal } = watch;
  let events: AsyncIterator<ModelEvent> | undefined;
  try {
    events = openStream(model, { ...request, signal })[Symbol.asyncIterator]();
    for (;;) {
      watch.restart();
      watch.begin();
      const { done, value } = await watch.race(Promise.resolve(events.next()), () => {});
      watch.pause();
      if (done) return;
      yield value;
    }
  } finally {
    watch.end();
    // A model that does not answer need not end either.
    if (signal.aborted) void ignoreFailure(() => Promise.resolve(events?.return?.()));
    else await events?.return?.();
  }
}

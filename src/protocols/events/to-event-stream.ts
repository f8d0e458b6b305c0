import { eventStream, type EventStreamOptions } from "../../run/public/event-stream.ts";
import { assertSource, type RunEventSource } from "../kit/source.ts";

export type { EventStreamOptions } from "../../run/public/event-stream.ts";

/**
 * Skein's own events as server-sent events, for `connect()` of `skein/client` or any `EventSource`: each is JSON and has its `index` as `id`.
 * Context, state, warnings, calls of models, stacks and the words of errors are left out.
 * @param source - What `stream()` returns, or the `events()` of a durable run.
 * @throws ConfigurationError (`invalid-option`) for unknown options.
 */
export function toEventStream(source: RunEventSource, options: EventStreamOptions = {}): Response {
  assertSource(source);
  return eventStream(source, options, "toEventStream()");
}

import { MalformedResponseError } from "../errors.ts";
import { describeValue } from "../base/options/known-options.ts";
import { ignoreRejections } from "../base/util/dropped-promises.ts";
import { isObject } from "../base/util/json.ts";
import { isPromiseLike } from "../base/util/promise-like.ts";
import type { ModelEventIterator } from "./answer-stream.ts";
import type { Model, ModelEvent, ModelRequest } from "./types.ts";

/** The events of a model, whose iterator is checked once something reads them. */
interface OpenStream {
  [Symbol.asyncIterator](): ModelEventIterator;
}

/**
 * Sends one request to a model: the only place that calls `stream`, which a program may have written in JavaScript.
 * @throws MalformedResponseError unless it returns an async iterable; what `stream` throws.
 */
export function openStream(model: Model, request: ModelRequest): OpenStream {
  const events: unknown = model.stream(request);
  if (isEvents(events)) return { [Symbol.asyncIterator]: () => iteratorOf(events, model) };
  // Of an async function without the star: what it rejects with, nobody waits for.
  ignoreRejections(events);
  const what = isPromiseLike(events) ? "a promise" : describeValue(events);
  throw new MalformedResponseError(
    `${nameOf(model)}: stream must return an async iterable of events, not ${what}. Write "async *stream(request) { ... }".`,
    model,
  );
}

/** @throws MalformedResponseError for an iterable that has no iterator. */
function iteratorOf(events: AsyncIterable<ModelEvent>, model: Model): ModelEventIterator {
  const iterator: unknown = events[Symbol.asyncIterator]();
  if (isIterator(iterator)) return iterator;
  throw new MalformedResponseError(
    `${nameOf(model)}: stream must return an async iterable of events, but it has no iterator. Write "async *stream(request) { ... }".`,
    model,
  );
}

function isEvents(value: unknown): value is AsyncIterable<ModelEvent> {
  return isObject(value) && typeof Reflect.get(value, Symbol.asyncIterator) === "function";
}

function isIterator(value: unknown): value is ModelEventIterator {
  return isObject(value) && typeof value["next"] === "function";
}

function nameOf({ provider, modelId }: Model): string {
  return `${provider}:${modelId}`;
}

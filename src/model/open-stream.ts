import { MalformedResponseError } from "../errors.ts";
import { describeValue } from "../base/options/known-options.ts";
import { ignoreRejections } from "../base/util/dropped-promises.ts";
import { isObject } from "../base/util/json.ts";
import { isPromiseLike } from "../base/util/promise-like.ts";
import type { ModelEventIterator } from "./answer-stream.ts";
import type { Model, ModelRequest } from "./types.ts";

/** The events of a model that has been called. */
interface OpenStream {
  [Symbol.asyncIterator](): ModelEventIterator;
}

/**
 * Sends one request to a model: the only place that calls `stream`, which a program may have written in JavaScript.
 * @throws MalformedResponseError unless it returns an async iterable; what `stream` throws.
 */
export function openStream(model: Model, request: ModelRequest): OpenStream {
  const events: unknown = model.stream(request);
  if (isEvents(events)) return readable(events[Symbol.asyncIterator](), model);
  // Of an async function without the star: what it rejects with, nobody waits for.
  ignoreRejections(events);
  const what = isPromiseLike(events) ? "a promise" : describeValue(events);
  throw new MalformedResponseError(
    `${nameOf(model)}: stream must return an async iterable of events, not ${what}. Write "async *stream(request) { ... }".`,
    model,
  );
}

/**
 * The iterator itself where it can be read as a whole, as those of generators can: this is done for each request.
 * @throws MalformedResponseError for anything but an iterator.
 */
function readable(iterator: unknown, model: Model): OpenStream {
  if (!isIterator(iterator))
    throw new MalformedResponseError(
      `${nameOf(model)}: stream must return an async iterable of events, but it has no iterator. Write "async *stream(request) { ... }".`,
      model,
    );
  return isReadable(iterator) ? iterator : { [Symbol.asyncIterator]: () => iterator };
}

function isReadable(iterator: ModelEventIterator): iterator is ModelEventIterator & OpenStream {
  return Symbol.asyncIterator in iterator && typeof iterator[Symbol.asyncIterator] === "function";
}

function isEvents(value: unknown): value is AsyncIterable<unknown> {
  return (
    isObject(value) && Symbol.asyncIterator in value && typeof value[Symbol.asyncIterator] === "function"
  );
}

function isIterator(value: unknown): value is ModelEventIterator {
  return isObject(value) && typeof value["next"] === "function";
}

function nameOf({ provider, modelId }: Model): string {
  return `${provider}:${modelId}`;
}

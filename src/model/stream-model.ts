import { MalformedResponseError, ModelError } from "../errors.ts";
import { sleep } from "../util/sleep.ts";
import type { Model, ModelEvent, ModelRequest } from "./types.ts";

const defaultRetries = 3;
/** The first wait is at most this long, each further one twice as long, in milliseconds. */
const firstBackoff = 500;
const longestBackoff = 30_000;
/** A provider that asks to wait longer than this is not waited for. */
const longestRetryAfter = 60_000;

/**
 * Begins an answer: gives its events once the first of them has come. Failures that may pass are tried again until then,
 * with exponential backoff, full jitter and the provider's `Retry-After`, and not any more: what a caller has seen is
 * never taken back.
 * @throws ModelError once the retries are exhausted, or at once for what cannot pass.
 */
export async function beginAnswer(model: Model, request: ModelRequest): Promise<AsyncIterable<ModelEvent>> {
  const retries = request.settings?.maxRetries ?? defaultRetries;
  for (let attempt = 0; ; attempt++) {
    try {
      const events = model.stream(request)[Symbol.asyncIterator]();
      const first = await events.next();
      if (first.done) throw unfinished(model);
      return startingWith(first, events);
    } catch (error) {
      const wait = attempt >= retries ? undefined : retryDelay(error, attempt);
      if (wait === undefined || request.signal?.aborted) throw error;
      await sleep(wait, request.signal);
    }
  }
}

/**
 * A model's events, with retries as in `beginAnswer`. The last one is always `finish`.
 * @throws ModelError
 */
export async function* streamModel(model: Model, request: ModelRequest): AsyncGenerator<ModelEvent, void> {
  for await (const event of await beginAnswer(model, request)) {
    yield event;
    if (event.type === "finish") return;
  }
  throw unfinished(model);
}

/** The same events with `first` in front: handed on, not passed through a generator, which would cost a turn for each. */
function startingWith<T>(first: IteratorResult<T>, events: AsyncIterator<T>): AsyncIterable<T> {
  let held: IteratorResult<T> | undefined = first;
  const iterator: AsyncIterator<T> = {
    next() {
      const result = held ? Promise.resolve(held) : events.next();
      held = undefined;
      return result;
    },
    async return() {
      await events.return?.();
      return { done: true, value: undefined };
    },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}

/** Milliseconds to wait before trying again, or `undefined` if that is of no use. */
export function retryDelay(
  error: unknown,
  attempt: number,
  random: () => number = Math.random,
): number | undefined {
  if (!(error instanceof ModelError) || !error.isRetryable) return undefined;
  if (error.retryAfter === undefined) return random() * Math.min(longestBackoff, firstBackoff * 2 ** attempt);
  return error.retryAfter > longestRetryAfter ? undefined : error.retryAfter;
}

/** The error of a stream that ended too soon. */
export function unfinished({ provider, modelId }: Model): MalformedResponseError {
  return new MalformedResponseError(`The stream of ${provider}:${modelId} ended without a finish event.`, {
    provider,
    modelId,
  });
}

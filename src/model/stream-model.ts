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
 * A model's events. Failures that may pass are tried again, with exponential backoff, full jitter and the provider's
 * `Retry-After`, but only before the first event: what a caller has seen is never taken back.
 * @throws ModelError once the retries are exhausted, or at once for what cannot pass.
 */
export async function* streamModel(model: Model, request: ModelRequest): AsyncGenerator<ModelEvent, void> {
  const retries = request.settings?.maxRetries ?? defaultRetries;
  for (let attempt = 0; ; attempt++) {
    let started = false;
    try {
      for await (const event of model.stream(request)) {
        started = true;
        yield event;
        if (event.type === "finish") return;
      }
      throw unfinished(model);
    } catch (error) {
      const wait = started || attempt >= retries ? undefined : retryDelay(error, attempt);
      if (wait === undefined || request.signal?.aborted) throw error;
      await sleep(wait, request.signal);
    }
  }
}

/** Milliseconds to wait before trying again, or `undefined` if that is of no use. */
export function retryDelay(error: unknown, attempt: number, random: () => number = Math.random): number | undefined {
  if (!(error instanceof ModelError) || !error.isRetryable) return undefined;
  if (error.retryAfter === undefined) return random() * Math.min(longestBackoff, firstBackoff * 2 ** attempt);
  return error.retryAfter > longestRetryAfter ? undefined : error.retryAfter;
}

function unfinished({ provider, modelId }: Model): MalformedResponseError {
  return new MalformedResponseError(`The stream of ${provider}:${modelId} ended without a finish event.`, {
    provider,
    modelId,
  });
}

import { type StartedAnswer, endRetries, firstEvent, retryDelay } from "../../model/stream-model.ts";
import type { Model, ModelRequest } from "../../model/types.ts";
import { assertKnownOptions, invalidOption } from "../../base/options/known-options.ts";
import { sleep } from "../../base/util/sleep.ts";
import { allOf, asModel, describeModel } from "./wrapped.ts";

/** How often and when to try again. */
export interface RetryOptions {
  /** Attempts after the first; 3 by default. */
  readonly times?: number;
  /**
   * Milliseconds to wait before attempt `attempt + 2`, or `undefined` not to try again. By default errors that are retryable
   * are, with growing pauses, or as long as the provider asks, up to a minute, and those that another `retry` has given up are not.
   */
  readonly delay?: (error: unknown, attempt: number) => number | undefined;
}

const optionNames = { times: true, delay: true } as const satisfies Record<keyof RetryOptions, true>;

/**
 * A model that is asked again when it fails, until the first event has come. A run does not retry on top of that, so it is
 * `times` that counts, not the setting `maxRetries`.
 * @throws ConfigurationError for options that cannot be meant.
 */
export function retry(model: Model | string, options: RetryOptions = {}): Model {
  assertKnownOptions(options, optionNames, "retry()");
  const { times = 3, delay = retryDelay } = options;
  if (!(times >= 0))
    throw invalidOption(`times is ${times}: it must be a number of at least 0.`, { option: "times" });
  const inner = asModel(model, "retry()");
  return {
    ...describeModel(inner),
    async *stream(request) {
      yield* allOf(await begin(inner, request, times, delay));
    },
  };
}

async function begin(
  model: Model,
  request: ModelRequest,
  times: number,
  delay: (error: unknown, attempt: number) => number | undefined,
): Promise<StartedAnswer> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await firstEvent(model, request);
    } catch (error) {
      const isOver = attempt >= times || request.signal?.aborted;
      const wait = isOver ? undefined : delay(error, attempt);
      if (wait === undefined) {
        endRetries(error);
        throw error;
      }
      await sleep(wait, request.signal);
    }
  }
}

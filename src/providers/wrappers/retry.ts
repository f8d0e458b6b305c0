import { type StartedAnswer, endRetries, firstEvent, retryDelay } from "../../model/stream-model.ts";
import type { Model, ModelRequest } from "../../model/types.ts";
import { assertKnownOptions, invalidOption } from "../../base/options/known-options.ts";
import { sleep } from "../../base/util/sleep.ts";
import { asModel, describeModel, readAnswer } from "./wrapped.ts";

/** How often and when to try again. */
export interface RetryOptions {
  /** Attempts after the first; 3 by default. */
  readonly times?: number;
  /**
   * Milliseconds to wait after the failure of an attempt (the first is 0), or `undefined` to give up. By default retryable errors are
   * retried, with growing delays or the delay that the provider asks for, up to a minute. Errors that another `retry` gave up on are not.
   */
  readonly delay?: (error: unknown, attempt: number) => number | undefined;
}

const optionNames = { times: true, delay: true } as const satisfies Record<keyof RetryOptions, true>;

/**
 * A model that is called again if it fails before the first event. A run does not retry such a model itself: `times` applies, not the
 * setting `maxRetries`.
 * @throws ConfigurationError for invalid options.
 */
export function retry(model: Model | string, options: RetryOptions = {}): Model {
  assertKnownOptions(options, optionNames, "retry()");
  const { times = 3, delay = retryDelay } = options;
  if (!(times >= 0))
    throw invalidOption(`times is ${times}. Expected a number of at least 0.`, { option: "times" });
  const inner = asModel(model, "retry()");
  return {
    ...describeModel(inner),
    async *stream(request) {
      yield* readAnswer(await begin(inner, request, times, delay));
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

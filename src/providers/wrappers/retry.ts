import {
  type StartedAnswer,
  endRetries,
  firstEvent,
  reportFailure,
  retryDelay,
} from "../../model/stream-model.ts";
import { AnswerLaterError } from "../../model/answer-later.ts";
import { markSelfTimed } from "../../model/model-events.ts";
import type { Model, ModelRequest } from "../../model/types.ts";
import { assertAtLeast } from "../../base/options/at-least.ts";
import { assertFunction } from "../../base/options/assert-function.ts";
import { assertKnownOptions, describeValue, invalidOption } from "../../base/options/known-options.ts";
import { immediate } from "../../base/util/callbacks.ts";
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

/** The longest time that timers measure, in milliseconds. */
const longestTimer = 2_147_483_647;

const optionNames = { times: true, delay: true } as const satisfies Record<keyof RetryOptions, true>;

/**
 * A model that is called again if it fails before the first event. A run does not retry such a model itself: `times` applies, not the
 * setting `maxRetries`.
 * @throws ConfigurationError for invalid options.
 */
export function retry(model: Model | string, options: RetryOptions = {}): Model {
  assertKnownOptions(options, optionNames, "retry()");
  const { times = 3, delay = retryDelay } = options;
  assertAtLeast("times", times, 0);
  assertFunction("delay", options.delay, "retry()", "delay: () => 100");
  const inner = asModel(model, "retry()");
  return {
    ...describeModel(inner),
    stream: markSelfTimed(async function* (request) {
      yield* readAnswer(await begin(inner, request, times, delay));
    }),
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
      const isOver = attempt >= times || request.signal?.aborted || error instanceof AnswerLaterError;
      const wait = isOver ? undefined : waitBefore(delay, error, attempt);
      if (wait === undefined) {
        endRetries(error);
        throw error;
      }
      reportFailure(request, model, error, "retry", wait);
      await sleep(wait, request.signal);
    }
  }
}

/** @throws ConfigurationError for what is not a number of milliseconds: a timer would take it for none. */
function waitBefore(
  delay: NonNullable<RetryOptions["delay"]>,
  error: unknown,
  attempt: number,
): number | undefined {
  const refuse = (received: string): Error =>
    invalidOption(`delay of retry() must return milliseconds or undefined, not ${received}.`, {
      option: "delay",
    });
  const wait: unknown = immediate<unknown>(delay(error, attempt), () => refuse("a promise"));
  if (wait === undefined) return undefined;
  if (typeof wait === "number" && wait >= 0 && wait <= longestTimer) return wait;
  throw refuse(describeValue(wait));
}

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
import { assertKnownOptions, describeValue, invalidOption } from "../../base/options/known-options.ts";
import { waitOf } from "../../base/options/wait-of.ts";
import { sleep } from "../../base/util/sleep.ts";
import { asModel, describeModel, readAnswer } from "./wrapped.ts";

/** How often and when to try again. */
export interface RetryOptions {
  /** Attempts after the first; 3 by default. */
  readonly times?: number;
  /**
   * The upper limit of the first delay in milliseconds, 500 by default, which doubles for each further one, up to 30,000: retryable errors are
   * retried after a random time below it, or after the time that the provider asks for, up to a minute; not those that another `retry` gave
   * up on. Or a function that decides on every failure of an attempt (the first is 0): milliseconds to wait, or `undefined` to give up.
   */
  readonly delay?: number | ((error: unknown, attempt: number) => number | undefined);
}

/** How long to wait after the failure of an attempt, in milliseconds; `undefined` to give up. */
type WaitAfter = (error: unknown, attempt: number) => number | undefined;

const optionNames = { times: true, delay: true } as const satisfies Record<keyof RetryOptions, true>;

/**
 * A model that is called again if it fails before the first event. A run does not retry such a model itself: `times` applies, not the
 * setting `maxRetries`.
 * @throws ConfigurationError for invalid options.
 */
export function retry(model: Model | string, options: RetryOptions = {}): Model {
  assertKnownOptions(options, optionNames, "retry()");
  const { times = 3, delay } = options;
  assertAtLeast("times", times, 0);
  const waitAfter = waitsBy(delay);
  const inner = asModel(model, "retry()");
  return {
    ...describeModel(inner),
    stream: markSelfTimed(async function* (request) {
      yield* readAnswer(await begin(inner, request, times, waitAfter));
    }),
  };
}

async function begin(
  model: Model,
  request: ModelRequest,
  times: number,
  waitAfter: WaitAfter,
): Promise<StartedAnswer> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await firstEvent(model, request);
    } catch (error) {
      const isOver = attempt >= times || request.signal?.aborted || error instanceof AnswerLaterError;
      const wait = isOver ? undefined : waitAfter(error, attempt);
      if (wait === undefined) {
        endRetries(error);
        throw error;
      }
      reportFailure(request, model, error, "retry", wait);
      await sleep(wait, request.signal);
    }
  }
}

/** @throws ConfigurationError for an option that is neither a number of at least 0 nor a function. */
function waitsBy(delay: RetryOptions["delay"]): WaitAfter {
  if (delay === undefined) return retryDelay;
  if (typeof delay === "function")
    return (error, attempt) =>
      waitOf(delay(error, attempt), (received) =>
        refusal(`return milliseconds or undefined, not ${received}`),
      );
  if (typeof delay !== "number" || !(delay >= 0))
    throw refusal(
      `be milliseconds of at least 0, or a function that returns them, not ${describeValue(delay)}`,
    );
  return (error, attempt) => retryDelay(error, attempt, Math.random, delay);
}

function refusal(problem: string): Error {
  return invalidOption(`delay of retry() must ${problem}.`, { option: "delay" });
}

import { markSelfTimed, modelEvents } from "../../model/model-events.ts";
import type { Model, ModelEvent, ModelRequest } from "../../model/types.ts";
import { assertAtLeast, assertCount } from "../../base/options/at-least.ts";
import { assertKnownOptions } from "../../base/options/known-options.ts";
import { Semaphore } from "../../base/util/semaphore.ts";
import { RequestWindow } from "./request-window.ts";
import { asModel, describeModel } from "./wrapped.ts";

/** Limits for the requests to a model, in addition to those that its provider reports. */
export interface ModelLimits {
  /** Requests that start in any minute. */
  readonly requestsPerMinute?: number;
  /** Tokens of requests and answers in any minute: estimated when a request starts, corrected when its answer is complete. */
  readonly tokensPerMinute?: number;
  /** Requests in progress at the same time. */
  readonly concurrency?: number;
}

const optionNames = {
  requestsPerMinute: true,
  tokensPerMinute: true,
  concurrency: true,
} as const satisfies Record<keyof ModelLimits, true>;

/**
 * A model that keeps to limits: requests wait in their order, across all runs. It also waits, for at most a minute, if the provider
 * reports a limit, in an answer or with `Retry-After`. Only the requests of this process are counted.
 * @throws ConfigurationError for a limit below 1, and a concurrency that is not a whole number.
 */
export function rateLimited(model: Model | string, limits: ModelLimits = {}): Model {
  assertKnownOptions(limits, optionNames, "rateLimited()");
  for (const [option, value] of Object.entries(limits)) assertAtLeast(option, value, 1);
  const { requestsPerMinute, tokensPerMinute, concurrency = Infinity } = limits;
  assertCount("concurrency", concurrency, 1);
  const inner = asModel(model, "rateLimited()");
  const semaphore = new Semaphore(concurrency);
  const window = new RequestWindow(requestsPerMinute, tokensPerMinute);
  return {
    ...describeModel(inner),
    stream: markSelfTimed((request) => streamLimited(inner, request, semaphore, window)),
  };
}

async function* streamLimited(
  model: Model,
  request: ModelRequest,
  semaphore: Semaphore,
  window: RequestWindow,
): AsyncGenerator<ModelEvent, void> {
  const release = await acquire(semaphore, request.signal);
  try {
    const entry = await window.begin(request);
    for await (const event of modelEvents(model, request)) {
      if (event.type === "finish") {
        window.end(entry, event.generation);
        release();
      }
      yield event;
    }
  } catch (error) {
    window.fail(error);
    throw error;
  } finally {
    release();
  }
}

/** Acquires the semaphore; the function returned releases it. */
function acquire(semaphore: Semaphore, signal: AbortSignal | undefined): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const hold = (): Promise<void> => new Promise((release) => resolve(release));
    semaphore.run(hold, signal).catch(reject);
  });
}

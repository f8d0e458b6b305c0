import type { Model, ModelEvent, ModelRequest } from "../../model/types.ts";
import { assertKnownOptions, invalidOption } from "../../base/options/known-options.ts";
import { Semaphore } from "../../base/util/semaphore.ts";
import { RequestWindow } from "./request-window.ts";
import { asModel, describeModel } from "./wrapped.ts";

/** What a model may be asked. Without a limit only what the provider says counts. */
export interface ModelLimits {
  /** Requests that begin in any minute. */
  readonly requestsPerMinute?: number;
  /** Tokens, of requests and answers, in any minute: estimated when a request begins, put right when its answer is there. */
  readonly tokensPerMinute?: number;
  /** Answers under way at once. */
  readonly concurrency?: number;
}

const optionNames = {
  requestsPerMinute: true,
  tokensPerMinute: true,
  concurrency: true,
} as const satisfies Record<keyof ModelLimits, true>;

/**
 * A model that is asked only as often as it may be: requests wait in their order, over all runs. It waits as well for what the
 * provider says of its limits, with an answer or with `Retry-After`, for a minute at most. Requests of one process only count.
 * @throws ConfigurationError for a limit that is not above 0.
 */
export function rateLimited(model: Model | string, limits: ModelLimits = {}): Model {
  assertKnownOptions(limits, optionNames, "rateLimited()");
  for (const [option, value] of Object.entries(limits))
    if (value !== undefined && !(value >= 1))
      throw invalidOption(`${option} is ${value}: it must be a number of at least 1.`, { option });
  const { requestsPerMinute, tokensPerMinute, concurrency = Infinity } = limits;
  const inner = asModel(model, "rateLimited()");
  const semaphore = new Semaphore(concurrency);
  const window = new RequestWindow(requestsPerMinute, tokensPerMinute);
  return {
    ...describeModel(inner),
    stream: (request) => inTurn(inner, request, semaphore, window),
  };
}

async function* inTurn(
  model: Model,
  request: ModelRequest,
  semaphore: Semaphore,
  window: RequestWindow,
): AsyncGenerator<ModelEvent, void> {
  const leave = await enter(semaphore, request.signal);
  try {
    const place = await window.begin(request);
    for await (const event of model.stream(request)) {
      if (event.type === "finish") {
        window.end(place, event.generation);
        leave();
      }
      yield event;
    }
  } catch (error) {
    window.fail(error);
    throw error;
  } finally {
    leave();
  }
}

/** Waits for a place; the function that comes back gives it up. */
function enter(semaphore: Semaphore, signal: AbortSignal | undefined): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const stay = (): Promise<void> => new Promise((leave) => resolve(leave));
    semaphore.run(stay, signal).catch(reject);
  });
}

import { assertAtLeast } from "../../base/options/at-least.ts";
import { assertKnownOptions, invalidOption } from "../../base/options/known-options.ts";
import { MalformedResponseError, SkeinError } from "../../errors.ts";
import { fingerprint } from "../../base/util/fingerprint.ts";
import { markSelfTimed, modelEvents } from "../../model/model-events.ts";
import { endRetries } from "../../model/stream-model.ts";
import type { Model, ModelEvent, ModelRequest } from "../../model/types.ts";
import { type FetchWrapper, wrapFetchOf } from "../../model/wire-seam.ts";
import { modelNamed } from "../../run/turn/named-model.ts";
import type { BatchScope, Fate } from "./batch/batched-request.ts";
import { asModel, describeModel, withGeneration } from "./wrapped.ts";

/** How requests share batches, and how long they wait for them. Durations are milliseconds. */
export interface BatchOptions {
  /** How long a request waits for others of this process that go into the same batch; 1,000 by default, 0 for none. */
  readonly gather?: number;
  /** How many requests a batch has at most; 100 by default. */
  readonly maxRequests?: number;
  /** The shortest time between two looks at a batch, 60,000 by default. After that, a tenth of its age, and 600,000 at most. */
  readonly interval?: number;
  /** How long an answer is waited for; 90,000,000 (25 hours) by default. The providers end a batch after 24 hours. */
  readonly deadline?: number;
}

const optionNames = {
  gather: true,
  maxRequests: true,
  interval: true,
  deadline: true,
} as const satisfies Record<keyof BatchOptions, true>;

/** The longest time that timers measure: the batch has a deadline of its own. */
const longestTimeout = 2_147_483_647;

/**
 * A model that sends its requests to the batch API of its provider: OpenAI's (`/v1/batches`) or Anthropic's (`/v1/messages/batches`). An
 * answer costs half, and may take up to a day. A durable run is left until then; any other run waits in its process. An answer comes as a
 * whole. Requests are sent with `fetch`: the model's own, or the platform's.
 * @param model - Of `anthropic()`, `openai()` or `openai.responses()`, or a name. Other wrappers stand around this one.
 * @throws ConfigurationError for invalid options, and for a model that has no batch API.
 */
export function batched(model: Model | string, options: BatchOptions = {}): Model {
  assertKnownOptions(options, optionNames, "batched()");
  const { gather = 1_000, maxRequests = 100, interval = 60_000, deadline = 90_000_000 } = options;
  assertAtLeast("gather", gather, 0);
  for (const [option, value] of Object.entries({ maxRequests, interval, deadline }))
    assertAtLeast(option, value, 1);
  const named = asModel(model, "batched()");
  for (const [option, value] of Object.entries({ gather, interval }))
    if (value === Infinity)
      throw invalidOption(`${option} of batched() is Infinity. Pass milliseconds, such as 60_000.`, {
        option,
      });
  if (typeof model !== "string") assertReachable(model);
  const { provider, modelId } = named;
  let scope: Promise<BatchScope> | undefined;
  const openScope = async (): Promise<BatchScope> => {
    const [{ Gatherer }, { Looks }, { AbandonedRequests }] = await Promise.all([
      import("./batch/gatherer.ts"),
      import("./batch/looks.ts"),
      import("./batch/abandoned-requests.ts"),
    ]);
    return {
      model: { provider, modelId },
      slot: fingerprint(`${provider}:${modelId}`),
      gatherer: new Gatherer(gather, maxRequests),
      looks: new Looks(),
      abandoned: new AbandonedRequests(),
      interval,
      deadline,
    };
  };
  const inner = async (): Promise<Model> => (typeof model === "string" ? modelNamed(model) : model);
  return {
    ...describeModel(named),
    abandon: async (note) => {
      const { abandonBatch } = await import("./batch/abandon-batch.ts");
      await abandonBatch(await (scope ??= openScope()), await inner(), note);
    },
    stream: markSelfTimed(async function* (request) {
      request.signal?.throwIfAborted();
      yield* streamBatched(await (scope ??= openScope()), await inner(), request);
    }),
  };
}

async function* streamBatched(
  scope: BatchScope,
  model: Model,
  request: ModelRequest,
): AsyncGenerator<ModelEvent, void> {
  const { batchedFetch } = await import("./batch/batched-fetch.ts");
  const { mostTries } = await import("./batch/batched-request.ts");
  const fate: Fate = { isFinal: false, tries: 0 };
  const within = assertReachable(model, (fetch) => batchedFetch(scope, request, fetch, fate));
  const { later, ...plain } = request;
  const settings = { ...request.settings, timeout: longestTimeout };
  for (;;) {
    let hasBegun = false;
    try {
      for await (const event of modelEvents(within, { ...plain, settings })) {
        hasBegun = true;
        if (event.type === "finish") later?.end();
        yield withGeneration(event, ({ response }) => ({ response: { ...response, batch: true } }));
      }
      return;
    } catch (error) {
      // Not as that of the network, which the error of a `fetch` is taken for.
      const thrown = fate.failure instanceof SkeinError ? fate.failure : error;
      if (thrown instanceof MalformedResponseError) {
        // It would be the same answer again.
        await later?.note(scope.slot, undefined);
        if (!fate.isFinal && thrown.isRetryable && !hasBegun && fate.tries < mostTries) continue;
        fate.isFinal = true;
      }
      if (fate.isFinal) endRetries(thrown);
      throw thrown;
    }
  }
}

/** @throws ConfigurationError for a model whose requests cannot be reached. */
function assertReachable(model: Model, wrap: FetchWrapper = (fetch) => fetch): Model {
  const reachable = wrapFetchOf(model, wrap);
  if (reachable) return reachable;
  throw invalidOption(
    `batched() takes a model of anthropic() or openai(), or its name, not another model (${model.provider}:${model.modelId}). Put other wrappers around it: retry(batched(model)).`,
    { option: "model" },
  );
}

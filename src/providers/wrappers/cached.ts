import { assertGeneration } from "../../model/assert-generation.ts";
import { immediate } from "../../base/util/callbacks.ts";
import { markSelfTimed, modelEvents } from "../../model/model-events.ts";
import type { Model, ModelEvent, ModelRequest } from "../../model/types.ts";
import { assertFunction } from "../../base/options/assert-function.ts";
import { assertKnownOptions, describeValue, invalidOption } from "../../base/options/known-options.ts";
import { canonicalJson } from "../../base/util/canonical-json.ts";
import { digest } from "../../base/util/digest.ts";
import { safeMessage } from "../../base/util/error-message.ts";
import { isPlainObject } from "../../base/util/json.ts";
import { unlessAborted } from "../../base/util/unless-aborted.ts";
import { InFlight } from "./in-flight.ts";
import { memoryStore, type ModelStore } from "./model-store.ts";
import { asModel, describeModel, nameOf, withGeneration } from "./wrapped.ts";

/** What `cached` stores, where, and for how long. */
export interface CacheOptions {
  /** In memory by default, with at most 10,000,000 characters. */
  readonly store?: ModelStore;
  /** Milliseconds until an answer expires; never by default. */
  readonly ttl?: number;
  /** The maximum number of answers in memory; 1000 by default. */
  readonly maxEntries?: number;
  /** Computes the cache key. Requests with the same key get the same answer; by default only equal requests have the same key. */
  readonly key?: (request: ModelRequest) => string;
}

const optionNames = { store: true, ttl: true, maxEntries: true, key: true } as const satisfies Record<
  keyof CacheOptions,
  true
>;

/**
 * A model that replays its earlier answer to an equal request, event by event, without calling the provider. Such an answer uses
 * no tokens. Equal requests at the same time share one answer, which continues until all of its readers have left. Only complete
 * answers are stored (finish reasons `stop` and `tool-calls`), never errors. Requests are equal if everything that the model sees
 * is equal: the timeout and the number of retries do not count, and the first request sets them for all.
 * @throws ConfigurationError for invalid options.
 */
export function cached(model: Model | string, options: CacheOptions = {}): Model {
  assertKnownOptions(options, optionNames, "cached()");
  const { ttl, maxEntries = 1000, key } = options;
  for (const [option, value] of Object.entries({ ttl, maxEntries }))
    if (value !== undefined && !(typeof value === "number" && value > 0))
      throw invalidOption(`${option} is ${describeValue(value)}. Expected a number above 0.`, { option });
  assertFunction("key", key, "cached()", "key: (request) => text");
  assertStore(options.store);
  const inner = asModel(model, "cached()");
  const store = options.store ?? memoryStore(maxEntries);
  const inFlight = new Map<string, InFlight>();
  return {
    ...describeModel(inner),
    stream: markSelfTimed(async function* (request) {
      const { signal } = request;
      signal?.throwIfAborted();
      const startedAt = performance.now();
      const cacheKey = await computeKey(inner, request, key);
      // What a model notes of a request is one run's: nobody else can wait with it.
      if (request.later && inner.abandon) return yield* answer(request, cacheKey);
      const shared = inFlight.get(cacheKey) ?? startShared(request, cacheKey);
      yield* shared.read(signal, (event) => {
        const copy: ModelEvent = JSON.parse(JSON.stringify(toStoredForm(event)));
        return withoutUsage(copy, startedAt);
      });
    }),
  };

  function startShared(request: ModelRequest, cacheKey: string): InFlight {
    const open = (signal: AbortSignal): AsyncGenerator<ModelEvent, void> =>
      answer({ ...request, signal }, cacheKey);
    const shared: InFlight = new InFlight(open, () => {
      if (inFlight.get(cacheKey) === shared) inFlight.delete(cacheKey);
    });
    inFlight.set(cacheKey, shared);
    return shared;
  }

  async function* answer(request: ModelRequest, cacheKey: string): AsyncGenerator<ModelEvent, void> {
    const startedAt = performance.now();
    const limit = storeLimit(request);
    const { events, problem } = await readStore(store, cacheKey, limit);
    if (events) for (const event of events) yield withoutUsage(event, startedAt);
    else
      yield* storeAnswer(inner, request, problem, (json) =>
        limit(async () => store.set(cacheKey, json, ttl)),
      );
  }
}

function assertStore(store: ModelStore | undefined): void {
  if (store === undefined) return;
  const methods: readonly unknown[] = [Object(store).get, Object(store).set];
  if (methods.every((method) => typeof method === "function")) return;
  throw invalidOption(
    `store of cached() must have the functions get and set, and is ${describeValue(store)}.`,
    { option: "store" },
  );
}

function computeKey(
  model: Model,
  request: ModelRequest,
  key: ((request: ModelRequest) => string) | undefined,
): Promise<string> {
  const { signal: _, onFailure: __, later: _later, settings, ...content } = request;
  const { timeout: ___, maxRetries: ____, ...modelSettings } = settings ?? {};
  const own = key ? ownKey(key, request) : canonicalJson({ ...content, settings: modelSettings });
  const hosted = model.providerTools?.map(({ definition }) => definition) ?? [];
  // Without such tools the key is what it was before there were any.
  return digest(`${nameOf(model)}\n${own}${hosted.length > 0 ? `\n${canonicalJson(hosted)}` : ""}`);
}

/** @throws ConfigurationError unless the key is a string: all promises look alike. */
function ownKey(key: (request: ModelRequest) => string, request: ModelRequest): string {
  const refuse = (type: string): Error =>
    invalidOption(`key of cached() must return a string, not ${type}.`, { option: "key" });
  const own: unknown = immediate(key(request), () => refuse("a promise"));
  if (typeof own === "string") return own;
  throw refuse(own === null ? "null" : `a value of type ${typeof own}`);
}

interface StoredAnswer {
  readonly events?: readonly ModelEvent[] | undefined;
  /** Why the store could not be read. */
  readonly problem?: string;
}

/** The longest that a store may take: asking the model is not slower. */
const longestStore = 10_000;

/** Ends the wait for a store that does not answer within the request's timeout; what it does later is not looked at. */
type Limit = <T>(work: () => Promise<T>) => Promise<T>;

function storeLimit({ signal, settings }: ModelRequest): Limit {
  const milliseconds = Math.min(settings?.timeout ?? longestStore, longestStore);
  return async (work) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(
        () => reject(new Error(`The store did not answer within ${milliseconds} ms.`)),
        milliseconds,
      );
    });
    try {
      return await unlessAborted(Promise.race([work(), late]), signal);
    } finally {
      clearTimeout(timer);
    }
  };
}

async function readStore(store: ModelStore, cacheKey: string, limit: Limit): Promise<StoredAnswer> {
  try {
    const json = await limit(async () => store.get(cacheKey));
    return { events: json === undefined ? undefined : eventsOf(JSON.parse(json)) };
  } catch (error) {
    return { problem: `The cache could not be read: ${safeMessage(error)}` };
  }
}

/** @throws TypeError if `cached` did not store the value. */
function eventsOf(value: unknown): readonly ModelEvent[] {
  const last: unknown = Array.isArray(value) ? value.at(-1) : undefined;
  if (isPlainObject(last) && last["type"] === "finish" && isPlainObject(last["generation"]))
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a value that ends like an answer was stored as one
    return value as readonly ModelEvent[];
  throw new TypeError("The stored value is not an answer.");
}

/** The event of an answer from the cache: it used no tokens, and took the time since `startedAt`. */
function withoutUsage(event: ModelEvent, startedAt: number): ModelEvent {
  return withGeneration(event, () => ({
    usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 },
    timing: {
      firstTokenMs: undefined,
      totalMs: performance.now() - startedAt,
      tokensPerSecond: undefined,
    },
  }));
}

async function* storeAnswer(
  model: Model,
  request: ModelRequest,
  problem: string | undefined,
  store: (json: string) => Promise<void>,
): AsyncGenerator<ModelEvent, void> {
  const events: ModelEvent[] = [];
  const problems = problem === undefined ? [] : [problem];
  for await (const event of modelEvents(model, request)) {
    if (event.type === "finish") assertGeneration(event.generation, model);
    events.push(toStoredForm(event));
    if (event.type === "finish" && isComplete(event)) {
      try {
        await store(JSON.stringify(events));
      } catch (error) {
        problems.push(`The cache could not be written: ${safeMessage(error)}`);
      }
    }
    yield withGeneration(event, ({ warnings }) => ({ warnings: [...warnings, ...problems] }));
  }
}

/** The event without what must not be replayed: rate limits, headers, and an object that later deltas extend. */
function toStoredForm(event: ModelEvent): ModelEvent {
  if (event.type === "tool-input-delta") {
    const { type, toolCallId, toolName, text } = event;
    return { type, toolCallId, toolName, text };
  }
  if (event.type !== "finish") return event;
  const { rateLimit: _, response, ...generation } = event.generation;
  return { type: "finish", generation: { ...generation, response: { ...response, headers: {} } } };
}

function isComplete({ generation }: Extract<ModelEvent, { type: "finish" }>): boolean {
  return generation.finishReason === "stop" || generation.finishReason === "tool-calls";
}

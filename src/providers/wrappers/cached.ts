import type { Model, ModelEvent, ModelRequest } from "../../model/types.ts";
import { assertKnownOptions, invalidOption } from "../../base/options/known-options.ts";
import { canonicalJson } from "../../base/util/canonical-json.ts";
import { digest } from "../../base/util/digest.ts";
import { safeMessage } from "../../base/util/error-message.ts";
import { isPlainObject } from "../../base/util/json.ts";
import { Flight } from "./flight.ts";
import { memoryStore, type ModelStore } from "./model-store.ts";
import { asModel, describeModel, nameOf, withGeneration } from "./wrapped.ts";

/** What is kept, where and for how long. */
export interface CacheOptions {
  /** In memory by default: 10,000,000 characters at most. */
  readonly store?: ModelStore;
  /** Milliseconds for which an answer is kept; for ever by default. */
  readonly ttl?: number;
  /** The most answers that are kept in memory; 1000 by default. */
  readonly maxEntries?: number;
  /** What answers a request: requests with the same key get the same answer. By default only equal ones have it. */
  readonly key?: (request: ModelRequest) => string;
}

const optionNames = { store: true, ttl: true, maxEntries: true, key: true } as const satisfies Record<
  keyof CacheOptions,
  true
>;

/**
 * A model that answers a request it has answered before as it did then, piece by piece, without being asked: such an answer
 * used no tokens. Equal requests at the same time are one, which goes on until all who wait for it have left. Only whole answers
 * are kept (finish reasons `stop` and `tool-calls`), errors never. Requests are equal if all that the model sees is; how long to
 * wait and how often to try again does not count, and is that of the first of them.
 * @throws ConfigurationError for options that cannot be meant.
 */
export function cached(model: Model | string, options: CacheOptions = {}): Model {
  assertKnownOptions(options, optionNames, "cached()");
  const { ttl, maxEntries = 1000, key } = options;
  for (const [option, value] of Object.entries({ ttl, maxEntries }))
    if (value !== undefined && !(value > 0))
      throw invalidOption(`${option} is ${value}: it must be a number above 0.`, { option });
  const inner = asModel(model, "cached()");
  const store = options.store ?? memoryStore(maxEntries);
  const flights = new Map<string, Flight>();
  return {
    ...describeModel(inner),
    async *stream(request) {
      const { signal } = request;
      signal?.throwIfAborted();
      const startedAt = performance.now();
      const place = await placeOf(inner, request, key);
      const flight = flights.get(place) ?? depart(request, place);
      yield* flight.read(signal, (event) => {
        const copy: ModelEvent = JSON.parse(JSON.stringify(keptForm(event)));
        return free(copy, startedAt);
      });
    },
  };

  function depart(request: ModelRequest, place: string): Flight {
    const open = (signal: AbortSignal): AsyncGenerator<ModelEvent, void> =>
      answer({ ...request, signal }, place);
    const flight: Flight = new Flight(open, () => {
      if (flights.get(place) === flight) flights.delete(place);
    });
    flights.set(place, flight);
    return flight;
  }

  async function* answer(request: ModelRequest, place: string): AsyncGenerator<ModelEvent, void> {
    const startedAt = performance.now();
    const { events, problem } = await lookUp(store, place);
    if (events) for (const event of events) yield free(event, startedAt);
    else yield* record(inner, request, problem, async (json) => store.set(place, json, ttl));
  }
}

function placeOf(
  model: Model,
  request: ModelRequest,
  key: ((request: ModelRequest) => string) | undefined,
): Promise<string> {
  const { signal: _, settings, ...asked } = request;
  const { timeout: __, maxRetries: ___, ...seen } = settings ?? {};
  const own = key ? key(request) : canonicalJson({ ...asked, settings: seen });
  return digest(`${nameOf(model)}\n${own}`);
}

interface Found {
  readonly events?: readonly ModelEvent[] | undefined;
  /** Why there may be an answer that could not be read. */
  readonly problem?: string;
}

async function lookUp(store: ModelStore, place: string): Promise<Found> {
  try {
    const json = await store.get(place);
    return { events: json === undefined ? undefined : eventsOf(JSON.parse(json)) };
  } catch (error) {
    return { problem: `The cache could not be read: ${safeMessage(error)}` };
  }
}

/** @throws TypeError for what was never written here. */
function eventsOf(value: unknown): readonly ModelEvent[] {
  const last: unknown = Array.isArray(value) ? value.at(-1) : undefined;
  if (isPlainObject(last) && last["type"] === "finish" && isPlainObject(last["generation"]))
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what ends like an answer was written as one
    return value as readonly ModelEvent[];
  throw new TypeError("what is there is no answer");
}

/** The event of an answer that was not asked for again: it used no tokens, and took the time since `startedAt`. */
function free(event: ModelEvent, startedAt: number): ModelEvent {
  return withGeneration(event, () => ({
    usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 },
    timing: {
      firstTokenMs: undefined,
      totalMs: performance.now() - startedAt,
      tokensPerSecond: undefined,
    },
  }));
}

async function* record(
  model: Model,
  request: ModelRequest,
  problem: string | undefined,
  keep: (json: string) => Promise<void>,
): AsyncGenerator<ModelEvent, void> {
  const events: ModelEvent[] = [];
  const problems = problem === undefined ? [] : [problem];
  for await (const event of model.stream(request)) {
    events.push(keptForm(event));
    if (event.type === "finish" && isWhole(event)) {
      try {
        await keep(JSON.stringify(events));
      } catch (error) {
        problems.push(`The cache could not be written: ${safeMessage(error)}`);
      }
    }
    yield withGeneration(event, ({ warnings }) => ({ warnings: [...warnings, ...problems] }));
  }
}

/** Without what holds at that moment only: the provider's limits, and an object that goes on growing. */
function keptForm(event: ModelEvent): ModelEvent {
  if (event.type === "tool-input-delta") {
    const { type, toolCallId, toolName, text } = event;
    return { type, toolCallId, toolName, text };
  }
  if (event.type !== "finish") return event;
  const { rateLimit: _, response, ...generation } = event.generation;
  return { type: "finish", generation: { ...generation, response: { ...response, headers: {} } } };
}

function isWhole({ generation }: Extract<ModelEvent, { type: "finish" }>): boolean {
  return generation.finishReason === "stop" || generation.finishReason === "tool-calls";
}

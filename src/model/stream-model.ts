import { MalformedResponseError, ModelError } from "../errors.ts";
import { longestText } from "../message/longest-text.ts";
import { isObject } from "../base/util/json.ts";
import { sleep } from "../base/util/sleep.ts";
import { answerTooLong, callWeight } from "./answer-limit.ts";
import { assertEvent } from "./assert-event.ts";
import type { ModelEventIterator } from "./answer-stream.ts";
import { assertGeneration } from "./assert-generation.ts";
import { modelEvents } from "./model-events.ts";
import { PartialInputs } from "./partial-inputs.ts";
import type { AttemptFailure, Generation, Model, ModelEvent, ModelRequest } from "./types.ts";

const defaultRetries = 3;
/** The first wait is at most this long, each further one twice as long, in milliseconds. */
const firstBackoff = 500;
const longestBackoff = 30_000;
/** A longer `Retry-After` ends the retries, in milliseconds. */
const longestRetryAfter = 60_000;

/**
 * Reads an answer to its end. Transient failures are retried with exponential backoff, full jitter and the provider's
 * `Retry-After`, but only until the first event: what a caller has seen is never taken back.
 * @param onEvent - Called with each event.
 * @param onRetry - Called before the wait for each further attempt.
 * @throws ModelError once the retries are exhausted, or at once for a permanent failure, such as an answer of more than
 * 33,554,432 characters, in which a call counts as 4,096.
 */
export async function readAnswer(
  model: Model,
  request: ModelRequest,
  onEvent: (event: ModelEvent) => void,
  onRetry?: OnRetry,
): Promise<Generation> {
  let events: ModelEventIterator;
  let event: ModelEvent;
  try {
    events = eventsOf(model, request);
    event = valueOf(await events.next(), model);
  } catch (error) {
    ({ first: event, events } = await beginAgain(model, request, error, onRetry));
  }
  for (let room = longestText; ;) {
    // A model that ignores its signal may emit more events, which are dropped.
    const isOver = event.type === "finish" || request.signal?.aborted === true;
    if (isOver) await events.return?.();
    if (event.type === "finish") {
      assertGeneration(event.generation, model);
      onEvent(event);
      return event.generation;
    }
    if (isOver) throw unfinished(model);
    room -= weightOf(event);
    if (room < 0) {
      await events.return?.();
      throw answerTooLong(model);
    }
    onEvent(event);
    event = events.take?.() ?? valueOf(await events.next(), model);
  }
}

/**
 * A model's events, with retries as in `readAnswer`. The last one is always `finish`.
 * @throws ModelError
 */
export async function* streamModel(
  model: Model,
  request: ModelRequest,
  onRetry?: OnRetry,
): AsyncGenerator<ModelEvent, void> {
  const { first, events } = await beginAnswer(model, request, onRetry);
  const inputs = new PartialInputs();
  let room = longestText;
  try {
    for (let event = first; ; event = valueOf(await events.next(), model)) {
      room -= weightOf(event);
      if (room < 0) throw answerTooLong(model);
      if (event.type === "finish") assertGeneration(event.generation, model);
      yield event.type === "tool-input-delta" ? inputs.delta(event) : event;
      if (event.type === "tool-call") inputs.end(event.toolCall.toolCallId);
      if (event.type === "finish") return;
    }
  } finally {
    await events.return?.();
  }
}

/**
 * Called when an attempt has failed and another one follows.
 * @param attempt the one that failed, counted from 1.
 * @param delayMs milliseconds until the next one.
 */
export type OnRetry = (error: unknown, attempt: number, delayMs: number) => void;

/** An answer whose first event has arrived. */
export interface StartedAnswer {
  readonly first: ModelEvent;
  readonly events: ModelEventIterator;
}

/**
 * Sends one request to a model, and waits for the first event.
 * @throws what the model throws, and MalformedResponseError if the stream is empty.
 */
export async function firstEvent(model: Model, request: ModelRequest): Promise<StartedAnswer> {
  const events = eventsOf(model, request);
  return { first: valueOf(await events.next(), model), events };
}

/** Reports an attempt that has failed to the sender of the request. */
export function reportFailure(
  { onFailure }: ModelRequest,
  { provider, modelId }: Model,
  error: unknown,
  next: AttemptFailure["next"],
  delayMs: number,
): void {
  onFailure?.({ provider, modelId, error, next, delayMs });
}

function eventsOf(model: Model, request: ModelRequest): ModelEventIterator {
  return modelEvents(model, request)[Symbol.asyncIterator]();
}

async function beginAnswer(
  model: Model,
  request: ModelRequest,
  onRetry: OnRetry | undefined,
): Promise<StartedAnswer> {
  try {
    return await firstEvent(model, request);
  } catch (error) {
    return beginAgain(model, request, error, onRetry);
  }
}

/** Retries after the first attempt failed, as long as a retry can help. */
async function beginAgain(
  model: Model,
  request: ModelRequest,
  failure: unknown,
  onRetry: OnRetry | undefined,
): Promise<StartedAnswer> {
  const retries = request.settings?.maxRetries ?? defaultRetries;
  let error = failure;
  for (let attempt = 0; ; attempt++) {
    const wait = attempt >= retries ? undefined : retryDelay(error, attempt);
    if (wait === undefined || request.signal?.aborted) throw error;
    onRetry?.(error, attempt + 1, wait);
    reportFailure(request, model, error, "retry", wait);
    await sleep(wait, request.signal);
    try {
      return await firstEvent(model, request);
    } catch (again) {
      error = again;
    }
  }
}

function valueOf(result: IteratorResult<ModelEvent, unknown>, model: Model): ModelEvent {
  // What `next` of a custom iterator returns need not be a result.
  if (!isObject(result) || result.done) throw unfinished(model);
  assertEvent(result.value, model);
  return result.value;
}

/** Errors after the last attempt: a wrapper that sees them later must not retry. */
const exhausted = new WeakSet<object>();

/** Marks an error as final: a run does not retry what the model itself has retried. */
export function endRetries(error: unknown): void {
  if (error instanceof ModelError) exhausted.add(error);
}

/** Whether `endRetries` was called with an error. */
export function areRetriesOver(error: object): boolean {
  return exhausted.has(error);
}

/**
 * Milliseconds to wait before a retry, or `undefined` if a retry cannot help.
 * @param first - The longest that the first wait may be, where the error does not ask for one.
 */
export function retryDelay(
  error: unknown,
  attempt: number,
  random: () => number = Math.random,
  first: number = firstBackoff,
): number | undefined {
  if (!(error instanceof ModelError) || !error.isRetryable || exhausted.has(error)) return undefined;
  if (error.retryAfter === undefined) return random() * Math.min(longestBackoff, first * 2 ** attempt);
  return error.retryAfter > longestRetryAfter ? undefined : error.retryAfter;
}

function weightOf(event: ModelEvent): number {
  return "text" in event ? event.text.length : event.type === "tool-call" ? callWeight : 0;
}

/** The error of a stream that ended too soon. */
function unfinished({ provider, modelId }: Model): MalformedResponseError {
  return new MalformedResponseError(`The stream of ${provider}:${modelId} ended without a finish event.`, {
    provider,
    modelId,
  });
}

import { assertKnownOptions } from "../../base/options/known-options.ts";
import { sseFrame, sseResponse } from "../../base/stream/sse-response.ts";
import { contextOf } from "../../run/public/live-context.ts";
import { assertSource, encodeEvents, type RunEventSource } from "../kit/source.ts";
import { AgUiEncoder } from "./ag-ui-encoder.ts";
import {
  checkedOptions,
  responseOptionNames,
  type AgUiOptions,
  type AgUiResponseOptions,
} from "./options.ts";
import type { AgUiEvent } from "./types.ts";

/**
 * A run as events of AG-UI 1.0 (https://docs.ag-ui.com/spec/1.0). Calls that wait for a decision end it with an interrupt, which the client
 * answers by `resume`; calls that the client executes are left without a result. Agents called as tools are subagents; a handoff is a `CUSTOM`
 * event `handoff` with `{ from, to, toolCallId }`, progress of a tool an activity `tool-progress`.
 * @param source - What `stream()` returns, or the `events()` of a durable run.
 * @returns The events, as they come. Leaving them leaves the source, and stops no run.
 * @throws ConfigurationError (`invalid-option`) for wrong options.
 */
export function toAgUiEvents(
  source: RunEventSource,
  options: AgUiOptions,
): AsyncIterableIterator<AgUiEvent, void> {
  const batches = eventsInBatches(source, options, "toAgUiEvents()");
  let batch: readonly AgUiEvent[] = [];
  let next = 0;
  return {
    async next() {
      if (next === batch.length) {
        const { done, value } = await batches.next();
        if (done === true) return { done, value: undefined };
        [batch, next] = [value, 0];
      }
      const value = batch[next++];
      return value ? { done: false, value } : { done: true, value: undefined };
    },
    async return() {
      [batch, next] = [[], 0];
      await batches.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/**
 * The same events as a response: server-sent events, for `HttpAgent` of `@ag-ui/client` and all that speak as it does.
 * @param source - What `stream()` returns, or the `events()` of a durable run.
 * @throws ConfigurationError (`invalid-option`) for wrong options.
 */
export function toAgUiResponse(source: RunEventSource, options: AgUiResponseOptions): Response {
  assertKnownOptions(options, responseOptionNames, "toAgUiResponse()");
  const { headers, keepAlive, onCancel, ...rest } = options;
  const batches = eventsInBatches(source, rest, "toAgUiResponse()");
  return sseResponse(framesOf(batches), {
    ...(headers && { headers }),
    ...(keepAlive !== undefined && { keepAlive }),
    ...(onCancel && { onCancel }),
  });
}

/** The text of each batch. */
function framesOf(batches: AsyncIterator<readonly AgUiEvent[], void>): AsyncIterable<string> {
  return {
    [Symbol.asyncIterator]: () => ({
      async next() {
        const { done, value } = await batches.next();
        if (done === true) return { done, value: undefined };
        return { done: false, value: value.map((event) => sseFrame(JSON.stringify(event))).join("") };
      },
      async return() {
        await batches.return?.();
        return { done: true, value: undefined };
      },
    }),
  };
}

/** The events, those of each event of the run together. The first ones do not wait for the run. */
function eventsInBatches(
  source: RunEventSource,
  options: AgUiOptions,
  place: string,
): AsyncIterator<readonly AgUiEvent[], void> {
  assertSource(source);
  const settings = checkedOptions(options, place);
  let events: AsyncIterator<readonly AgUiEvent[], void> | undefined;
  const begin = async (): Promise<IteratorResult<readonly AgUiEvent[], void>> => {
    const encoder = new AgUiEncoder(settings(), contextOf(source));
    events = encodeEvents(source, encoder);
    return { done: false, value: encoder.start() };
  };
  return {
    next: () => (events ? events.next() : begin()),
    async return() {
      // Nothing was read: the source is not even asked.
      await events?.return?.();
      return { done: true, value: undefined };
    },
  };
}

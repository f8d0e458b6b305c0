import { EncodedEvents, type Encoder as EventEncoder } from "../../base/stream/encoded-events.ts";
import { describeValue, invalidOption } from "../../base/options/known-options.ts";
import { clientEvent } from "../../run/public/client-event.ts";
import type { StoredEvent } from "../../durable/stored-event.ts";
import type { RunEvent } from "../../run/types.ts";

/** An event of a run, or of a durable run. */
export type SourceEvent = RunEvent | StoredEvent;

/** What encoders read: what `stream()` returns, or the `events()` of a durable run. */
export type RunEventSource = AsyncIterable<SourceEvent>;

/** Translates the events of one run to another protocol. It has the state of that protocol. */
export type Encoder<Chunk> = EventEncoder<SourceEvent, Chunk>;

/**
 * The chunks of a run, those of each event together.
 * @throws ConfigurationError (`invalid-option`) for what has no events.
 */
export function encodeEvents<Chunk>(
  source: RunEventSource,
  encoder: Encoder<Chunk>,
): AsyncIterableIterator<readonly Chunk[], void> {
  assertSource(source);
  return new EncodedEvents(source, {
    encode: (event) => {
      const visible = clientEvent(event);
      return visible ? encoder.encode(visible) : [];
    },
    fail: (error) => encoder.fail(error),
  });
}

/** @throws ConfigurationError (`invalid-option`) for what has no events, such as the promise of a result. */
export function assertSource(source: unknown): void {
  if (typeof source === "object" && source !== null && Symbol.asyncIterator in source) return;
  const what = source instanceof Promise ? "a promise" : describeValue(source);
  throw invalidOption(
    `The source of an encoder must be what stream() returns, or the events() of a durable run, not ${what}.`,
    { option: "source" },
  );
}

/** @throws ConfigurationError (`invalid-option`) for anything else than a list. */
export function assertHistory(messages: unknown, place: string): void {
  if (Array.isArray(messages)) return;
  throw invalidOption(
    `The messages of ${place} must be a list such as result.state.messages, not ${describeValue(messages)}.`,
    { option: "messages" },
  );
}

/** Each chunk by itself. */
export async function* separately<Chunk>(
  batches: AsyncIterable<readonly Chunk[]>,
): AsyncGenerator<Chunk, void> {
  for await (const batch of batches) yield* batch;
}

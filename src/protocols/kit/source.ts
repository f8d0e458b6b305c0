import { EncodedEvents, type Encoder as EventEncoder } from "../../base/stream/encoded-events.ts";
import type { StoredEvent } from "../../durable/stored-event.ts";
import type { RunEvent } from "../../run/types.ts";

/** An event of a run, or of a durable run. */
export type SourceEvent = RunEvent | StoredEvent;

/** What encoders read: what `stream()` returns, or the `events()` of a durable run. */
export type RunEventSource = AsyncIterable<SourceEvent>;

/** Translates the events of one run to another protocol. It has the state of that protocol. */
export type Encoder<Chunk> = EventEncoder<SourceEvent, Chunk>;

/** The chunks of a run, those of each event together. */
export function encodeEvents<Chunk>(
  source: RunEventSource,
  encoder: Encoder<Chunk>,
): AsyncIterableIterator<readonly Chunk[], void> {
  return new EncodedEvents(source, encoder);
}

/** Each chunk by itself. */
export async function* separately<Chunk>(
  batches: AsyncIterable<readonly Chunk[]>,
): AsyncGenerator<Chunk, void> {
  for await (const batch of batches) yield* batch;
}

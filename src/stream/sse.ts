import { createParser } from "eventsource-parser";

/** One server-sent event. */
export interface ServerSentEvent {
  /** The event's type, where the server names one. */
  readonly event?: string | undefined;
  readonly data: string;
}

/** How to read a stream of bytes. */
export interface ReadOptions {
  /** Ends the reading at once, with the signal's reason, even where the stream does not heed it. */
  readonly signal?: AbortSignal | undefined;
  /** Called with each piece as it comes, comments and halves of events included. */
  readonly onChunk?: (() => void) | undefined;
  /** The most characters that one event may have; 64 Mi by default. */
  readonly maxLength?: number | undefined;
}

/** Who else takes part in reading events. Told directly: another generator around this one would double the cost of a piece. */
export interface ReadEventsOptions extends ReadOptions {
  /** Called before each wait for a piece. */
  readonly onWait?: (() => void) | undefined;
  /** Called before events are handed over. */
  readonly onEvents?: (() => void) | undefined;
  /** Called with what went wrong: throws what is to be thrown instead, or returns to end the stream as if it were over. */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** Called once, however the reading ends. */
  readonly onEnd?: (() => void) | undefined;
}

/** An event that is longer than its reader allows. */
export class EventTooLongError extends Error {
  constructor(limit: number) {
    super(`one server-sent event is longer than ${limit} characters`);
    this.name = "EventTooLongError";
  }
}

/**
 * Reads bytes as server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html), however they are
 * cut into pieces. Yields the events that each piece completes, as one array, so that many small events cost one
 * promise. An event whose closing blank line is missing at the end of the stream is yielded, too.
 * Leaving the loop early cancels `body`.
 * @throws EventTooLongError, the signal's reason, and whatever reading `body` throws.
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  options: ReadEventsOptions = {},
): AsyncGenerator<readonly ServerSentEvent[], void, undefined> {
  const { signal, onChunk, onWait, onEvents, onError, maxLength = 64 * 1024 * 1024 } = options;
  let batch: ServerSentEvent[] = [];
  let isTooLong = false;
  const parser = createParser({
    maxBufferSize: maxLength,
    onEvent: (event) => void batch.push(event),
    onError: (error) => {
      isTooLong ||= error.type === "max-buffer-size-exceeded";
    },
  });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  const cancel = (): void => void reader.cancel(signal?.reason).catch(ignore);
  signal?.addEventListener("abort", cancel);
  let ended = false;
  try {
    while (!ended) {
      signal?.throwIfAborted();
      onWait?.();
      const { done, value } = await reader.read();
      // A cancelled stream looks like one that has come to its end.
      signal?.throwIfAborted();
      onChunk?.();
      ended = done;
      parser.feed(done ? `${decoder.decode()}\n\n` : decoder.decode(value, { stream: true }));
      if (isTooLong) throw new EventTooLongError(maxLength);
      if (batch.length === 0) continue;
      const complete = batch;
      batch = [];
      onEvents?.();
      yield complete;
    }
  } catch (error) {
    if (!onError) throw error;
    onError(error);
  } finally {
    signal?.removeEventListener("abort", cancel);
    if (!ended) cancel();
    options.onEnd?.();
  }
}

/**
 * Reads a stream as text, up to `limit` bytes; what comes after them is cancelled.
 * @throws the signal's reason, and whatever reading `body` throws.
 */
export async function readText(
  body: ReadableStream<Uint8Array>,
  limit: number,
  options: Omit<ReadOptions, "maxLength"> = {},
): Promise<{ readonly text: string; readonly isWhole: boolean }> {
  const { signal, onChunk } = options;
  const decoder = new TextDecoder();
  const reader = body.getReader();
  const cancel = (): void => void reader.cancel(signal?.reason).catch(ignore);
  signal?.addEventListener("abort", cancel);
  const pieces: string[] = [];
  try {
    for (let bytes = 0; bytes <= limit;) {
      signal?.throwIfAborted();
      const { done, value } = await reader.read();
      signal?.throwIfAborted();
      onChunk?.();
      if (done) return { text: pieces.join("") + decoder.decode(), isWhole: true };
      bytes += value.byteLength;
      pieces.push(decoder.decode(value, { stream: true }));
    }
    cancel();
    return { text: pieces.join("").slice(0, limit), isWhole: false };
  } finally {
    signal?.removeEventListener("abort", cancel);
  }
}

/** A cancellation that fails has nothing to tell: the stream is given up either way. */
function ignore(): void {}

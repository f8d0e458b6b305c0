import { createParser, type EventSourceParser } from "eventsource-parser";
import type { ByteSource } from "./bytes.ts";

/** One server-sent event. */
export interface ServerSentEvent {
  /** The event's type, where the server names one. */
  readonly event?: string | undefined;
  readonly data: string;
}

/** The options of `readEvents`. */
export interface ReadEventsOptions {
  /** Ends the reading at once, with the signal's reason, even if the stream ignores it. */
  readonly signal?: AbortSignal | undefined;
  /** The most characters between two events, including lines without data; 64 Mi by default. */
  readonly maxLength?: number | undefined;
  /** Called before each wait for a piece. */
  readonly onWait?: (() => void) | undefined;
  /** Called before events are returned. */
  readonly onEvents?: (() => void) | undefined;
  /** Called with the error. It throws the error to use instead, or returns to end the stream normally. */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** Called once, at the end of the reading: after success, error or cancellation. */
  readonly onEnd?: (() => void) | undefined;
}

/** An event that is longer than its reader allows. */
export class EventTooLongError extends Error {
  constructor(limit: number, unit: "characters" | "lines" = "characters") {
    const problem =
      unit === "lines" ? `has more than ${limit} lines or pieces` : `is longer than ${limit} ${unit}`;
    super(`one server-sent event ${problem}`);
    this.name = "EventTooLongError";
  }
}

/** The most lines and chunks of one event. Each costs memory that no count of characters shows, even an empty one. */
const mostPieces = 1 << 18;

/** How much text is parsed at once: bounds the events of one batch, and what they cost, whatever the size of a chunk. */
const sliceLength = 64 * 1024;

/** The events of a stream: an array for each chunk that completes at least one. */
export type EventBatches = AsyncIterableIterator<readonly ServerSentEvent[], void, undefined>;

/**
 * Reads bytes as server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html), in chunks of
 * any size. Yields the events that each chunk completes as one array, so that many small events cost one promise. At the
 * end of the stream, an event without its closing blank line counts, too. Leaving the loop early cancels `bytes`. Calls of
 * `next` must not overlap.
 * @throws EventTooLongError, the signal's reason, and whatever reading `bytes` throws.
 */
export function readEvents(bytes: ByteSource, options: ReadEventsOptions = {}): EventBatches {
  return new EventReader(bytes, options);
}

/** Not a generator, which would cost two more promises for every chunk. */
class EventReader implements EventBatches {
  readonly #bytes: ByteSource;
  readonly #options: ReadEventsOptions;
  readonly #maxLength: number;
  readonly #decode = utf8Decoder();
  readonly #parser: EventSourceParser;
  #batch: ServerSentEvent[] = [];
  /** Text that is decoded, but not parsed. */
  #rest = "";
  /** What came since the last event. */
  #length = 0;
  #pieces = 0;
  #isTooLong = false;
  #isLast = false;
  #isOver = false;

  constructor(bytes: ByteSource, options: ReadEventsOptions) {
    this.#bytes = bytes;
    this.#options = options;
    this.#maxLength = options.maxLength ?? 64 * 1024 * 1024;
    this.#parser = createParser({
      maxBufferSize: this.#maxLength,
      onEvent: (event) => void this.#batch.push(event),
      onError: (error) => {
        this.#isTooLong ||= error.type === "max-buffer-size-exceeded";
      },
    });
    options.signal?.addEventListener("abort", this.#cancel);
  }

  async next(): Promise<IteratorResult<readonly ServerSentEvent[], void>> {
    const { signal, onWait, onEvents, onError } = this.#options;
    try {
      while (this.#batch.length === 0 && !this.#isOver) {
        signal?.throwIfAborted();
        if (this.#parseSlice()) continue;
        const piece = this.#bytes.take();
        if (piece !== undefined) {
          this.#feed(piece);
          continue;
        }
        onWait?.();
        await this.#bytes.wait();
      }
    } catch (error) {
      await this.return();
      if (!onError) throw error;
      onError(error);
    }
    const batch = this.#batch;
    if (batch.length === 0) return { done: true, value: undefined };
    this.#batch = [];
    onEvents?.();
    return { done: false, value: batch };
  }

  async return(): Promise<IteratorResult<readonly ServerSentEvent[], void>> {
    this.#batch = [];
    if (!this.#isOver) this.#cancel();
    this.#end();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #feed(piece: Uint8Array | null): void {
    this.#isLast = piece === null;
    this.#rest = piece ? this.#decode(piece) : `${this.#decode()}\n\n`;
    this.#parseSlice();
  }

  /** Parses the next slice, if there is one. The unfinished event is counted here, since the parser counts its data only. */
  #parseSlice(): boolean {
    const rest = this.#rest;
    if (rest === "") return false;
    const isWhole = rest.length <= sliceLength;
    const slice = isWhole ? rest : rest.slice(0, sliceLength);
    this.#rest = isWhole ? "" : rest.slice(sliceLength);
    this.#parser.feed(slice);
    this.#count(slice);
    if (this.#isLast && this.#rest === "") this.#end();
    return true;
  }

  #count(slice: string): void {
    if (this.#batch.length > 0) {
      this.#length = 0;
      this.#pieces = 0;
      return;
    }
    this.#length += slice.length;
    this.#pieces += 1 + countOf("\n", slice) + countOf("\r", slice);
    if (this.#isTooLong || this.#length > this.#maxLength) throw new EventTooLongError(this.#maxLength);
    if (this.#pieces > mostPieces) throw new EventTooLongError(mostPieces, "lines");
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#options.signal?.removeEventListener("abort", this.#cancel);
    this.#options.onEnd?.();
  }

  readonly #cancel = (): void => this.#bytes.cancel(this.#options.signal?.reason);
}

function countOf(character: string, text: string): number {
  let count = 0;
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1)) count += 1;
  return count;
}

/** Decodes whole chunks. It keeps no state between calls, so all streams share it. */
let whole: TextDecoder | undefined;

/**
 * Decodes chunks that may end within a character; without bytes, flushes the rest. A chunk that ends with ASCII, as events
 * do, is whole: it needs no state, which makes decoding faster and the text half as big. A byte order mark stays.
 */
function utf8Decoder(): (bytes?: Uint8Array) => string {
  let cut: TextDecoder | undefined;
  return (bytes) => {
    if (bytes === undefined) return cut?.decode() ?? "";
    const last = bytes.at(-1);
    if (last === undefined) return "";
    const isCut = last >= 0x80;
    if (!cut && !isCut) return (whole ??= new TextDecoder("utf-8", { ignoreBOM: true })).decode(bytes);
    cut ??= new TextDecoder("utf-8", { ignoreBOM: true });
    const text = cut.decode(bytes, { stream: true });
    if (!isCut) cut = undefined;
    return text;
  };
}

/** The options of `readText`. */
export interface ReadTextOptions {
  /** Ends the reading at once, with the signal's reason, even if the stream ignores it. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the text of each chunk as it comes. */
  readonly onChunk?: ((piece: string) => void) | undefined;
}

/** How many pieces are held apart: a piece of one byte costs many times that. */
const piecesToJoin = 4096;

/**
 * Reads a stream as text, up to `limit` bytes; the rest is cancelled.
 * @throws the signal's reason, and whatever reading `bytes` throws.
 */
export async function readText(
  bytes: ByteSource,
  limit: number,
  options: ReadTextOptions = {},
): Promise<{ readonly text: string; readonly isWhole: boolean }> {
  const { signal, onChunk } = options;
  const decoder = new TextDecoder();
  const cancel = (): void => bytes.cancel(signal?.reason);
  signal?.addEventListener("abort", cancel);
  const joined: string[] = [];
  let pieces: string[] = [];
  const wholeText = (): string => joined.concat(pieces).join("");
  try {
    for (let length = 0; length <= limit;) {
      signal?.throwIfAborted();
      const value = bytes.take();
      if (value === undefined) {
        await bytes.wait();
        continue;
      }
      if (value === null) return { text: wholeText() + decoder.decode(), isWhole: true };
      length += value.byteLength;
      const piece = decoder.decode(value, { stream: true });
      onChunk?.(piece);
      pieces.push(piece);
      if (pieces.length < piecesToJoin) continue;
      joined.push(pieces.join(""));
      pieces = [];
    }
    cancel();
    return { text: wholeText().slice(0, limit), isWhole: false };
  } finally {
    signal?.removeEventListener("abort", cancel);
  }
}

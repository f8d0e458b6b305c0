import { createParser } from "eventsource-parser";
import { connectionLost, SkeinClientError } from "./client-error.ts";
import type { Connection, ServerRequest } from "./connection.ts";
import { isPassing } from "./patience.ts";
import type { RemoteEvent, RemoteRunEnd } from "./types.ts";

/** Which events of which run to read. */
export interface EventSourceOptions {
  readonly id: string;
  /** The index of the last event that is not wanted. */
  readonly after: number;
  /** What starts the run, or has it go on: its answer are the events. Without it they are asked for. */
  readonly post?: ServerRequest;
  readonly signal?: AbortSignal | undefined;
}

/** Where the events go. */
interface RunListener {
  /** The server has the request; called once. */
  readonly onAccept: () => void;
  readonly onEvent: (event: RemoteEvent) => void;
  /** The run has stopped; called once. */
  readonly onEnd: (end: RemoteRunEnd) => void;
}

/** The most characters of one event. */
const longestEvent = 64 * 1024 * 1024;

/** A connection that has lasted for as long, in milliseconds, is one that works. */
const steady = 1_000;

/** Reads the events of a run until it stops, over all connections that this takes. */
export class RunReader {
  /** The run that the events are of. */
  id: string;
  /** The index of the last event so far. */
  last: number;
  readonly #connection: Connection;
  readonly #listener: RunListener;
  readonly #signal: AbortSignal | undefined;
  #post: ServerRequest | undefined;
  /** Whether the server may have received `post` before. */
  #isRepeated = false;
  /** The refusal of a repeated `post`: the server may have done before what it asks for. */
  #refusal: SkeinClientError | undefined;
  /** Reads all events once more, for the last `run-end` alone. */
  #isForEnd = false;
  /** The last event, if that is a `run-end`. */
  #end: RemoteRunEnd | undefined;
  #hasEnded = false;
  #hasProgress = false;

  constructor(connection: Connection, options: EventSourceOptions, listener: RunListener) {
    this.#connection = connection;
    this.#listener = listener;
    this.#signal = options.signal;
    this.#post = options.post;
    this.id = options.id;
    this.last = options.after;
  }

  /** @throws SkeinClientError once there is no sense in trying again; the signal's reason; what `headers` throws. */
  async read(): Promise<void> {
    const patience = this.#connection.patience(this.#signal);
    while (!this.#hasEnded) {
      const start = Date.now();
      this.#hasProgress = false;
      try {
        await this.#attempt();
      } catch (error) {
        // What breaks behind the end does not matter.
        if (this.#hasEnded) return;
        if (this.#isAnsweredBefore(error)) continue;
        if (this.#refusal && !isPassing(error)) throw this.#refusal;
        if (this.#hasProgress || Date.now() - start >= steady) patience.renew();
        await patience.wait(error);
        this.#isRepeated = true;
      }
    }
  }

  #attempt(): Promise<void> {
    const headers = { accept: "text/event-stream" };
    const after = this.#isForEnd ? -1 : this.last;
    const request = this.#post
      ? { ...this.#post, headers }
      : {
          path: `/runs/${encodeURIComponent(this.id)}/events`,
          headers: { ...headers, ...(after >= 0 && { "last-event-id": String(after) }) },
        };
    return this.#connection.attempt(
      request,
      (response, onLife, signal) => this.#receive(response, onLife, signal),
      this.#signal,
    );
  }

  async #receive(response: Response, onLife: () => void, signal: AbortSignal): Promise<void> {
    const { status, url, headers, body } = response;
    if (status !== 204 && !headers.get("content-type")?.startsWith("text/event-stream"))
      throw new SkeinClientError(
        `${url} answered with ${headers.get("content-type")} instead of events. Is it the address of a Skein server?`,
        { code: "invalid-answer", status },
      );
    if (this.#post) {
      this.id = headers.get("x-skein-run") ?? this.id;
      this.last = Number(headers.get("x-skein-after") ?? this.last);
      this.#post = undefined;
    }
    if (status === 204 || !body) return this.#stopped();
    this.#listener.onAccept();
    const reader = body.getReader();
    // Not every `fetch` ends an answer with the signal of its request.
    signal.addEventListener("abort", () => void reader.cancel().catch(() => {}));
    await this.#readFrames(reader, onLife);
    if (!this.#end) throw connectionLost(url, "the events ended before the run");
    this.#finish(this.#end);
  }

  async #readFrames(
    reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>,
    onLife: () => void,
  ): Promise<void> {
    const decoder = new TextDecoder();
    const parser = createParser({
      onEvent: ({ data }) => this.#take(JSON.parse(data)),
      onError: (error) => {
        if (error.type === "max-buffer-size-exceeded") throw error;
      },
      maxBufferSize: longestEvent,
    });
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onLife();
      parser.feed(decoder.decode(value, { stream: true }));
    }
  }

  #take(event: unknown): void {
    if (!isEvent(event)) throw streamError(event);
    this.#end = event.type === "run-end" ? event : undefined;
    if (event.index > this.last) {
      this.last = event.index;
      this.#hasProgress = true;
      this.#listener.onEvent(event);
    }
    // Nothing can come behind these; a run that stopped in another way may go on before its stream ends.
    if (this.#end && (this.#end.status === "completed" || this.#end.status === "cancelled"))
      this.#finish(this.#end);
  }

  /** The run has stopped, and there are no more events. */
  #stopped(): void {
    if (this.#refusal) throw this.#refusal;
    this.#listener.onAccept();
    if (this.#end) return this.#finish(this.#end);
    if (this.#isForEnd || this.last < 0)
      throw new SkeinClientError(
        "The run has stopped, and its events are not stored any more. session() has its conversation.",
        { code: "events-expired" },
      );
    this.#isForEnd = true;
  }

  #finish(end: RemoteRunEnd): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#listener.onEnd(end);
  }

  /** Whether the server refuses what it may have done when it was asked first, and the answer was lost. */
  #isAnsweredBefore(error: unknown): boolean {
    if (!this.#post || !this.#isRepeated || !(error instanceof SkeinClientError) || error.status !== 409)
      return false;
    this.#refusal = error;
    this.#post = undefined;
    return true;
  }
}

function isEvent(value: unknown): value is RemoteEvent {
  const { type, index }: { readonly type?: unknown; readonly index?: unknown } = Object(value);
  return typeof type === "string" && Number.isSafeInteger(index);
}

/** What the server sends where it cannot read the events of a run on. */
function streamError(event: unknown): SkeinClientError {
  const { error }: { readonly error?: unknown } = Object(event);
  const { code }: { readonly code?: unknown } = Object(error);
  return new SkeinClientError(`The server cannot read the events of the run (${String(code)}).`, {
    code: "stream-error",
  });
}

import { sourceOf, type Source } from "./source.ts";

/** How to send events. */
export interface SseOptions {
  /** Headers beside those of an event stream. */
  readonly headers?: Readonly<Record<string, string>>;
  /** After how many milliseconds without an event to send a comment, so that proxies keep the connection; 15,000 by default, 0 for never. */
  readonly keepAlive?: number;
  /** Called if the reader leaves before the end. */
  readonly onCancel?: () => void;
}

/** The text of a stream in pieces, with how it is to be sent. */
export interface SseBody extends Pick<SseOptions, "keepAlive" | "onCancel"> {
  /** Can be replaced before somebody reads. */
  frames: Source<string>;
}

/** A comment, which readers skip. */
const comment = ": keep-alive\n\n";

/** The pieces of responses, for servers that can write them without a web stream. */
const bodies = new WeakMap<Response, SseBody>();

/** One server-sent event (https://html.spec.whatwg.org/multipage/server-sent-events.html) of JSON, in which no line break is left. */
export function sseFrame(data: string, id?: number | string): string {
  return id === undefined ? `data: ${data}\n\n` : `id: ${id}\ndata: ${data}\n\n`;
}

/** An event stream that is to be sent, with its headers by their names in small letters. */
export interface SseAnswer {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: SseBody;
}

/** Server-sent events that are sent as they come: the next one is read once the reader wants it. */
export function sseAnswer(frames: AsyncIterable<string>, options: SseOptions = {}): SseAnswer {
  const { headers = {}, keepAlive = 15_000, onCancel } = options;
  return {
    headers: {
      "content-type": "text/event-stream; charset=utf-8",
      // Proxies must neither store nor collect it (the last one is nginx's).
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
      ...headers,
    },
    body: { frames: sourceOf(frames), keepAlive, ...(onCancel && { onCancel }) },
  };
}

/** The response that sends them. */
export function sseResponseOf({ headers, body }: SseAnswer): Response {
  const response = new Response(webStream(body), { headers });
  bodies.set(response, body);
  return response;
}

/** A response that sends server-sent events as they come: the next one is read once the reader wants it. */
export function sseResponse(frames: AsyncIterable<string>, options: SseOptions = {}): Response {
  return sseResponseOf(sseAnswer(frames, options));
}

/** The pieces of a response, if `sseResponse` made it and nobody has read of it. The caller that takes them must not read its body. */
export function sseBodyOf(response: Response): SseBody | undefined {
  return response.bodyUsed ? undefined : bodies.get(response);
}

/** The longest time that a timer can wait, in milliseconds: it takes what is longer for 1. */
const longestTimer = 2_147_483_647;

/** Sends comments while no piece comes, so that proxies keep the connection. */
export class KeepAlive {
  readonly #timer: ReturnType<typeof setInterval> | undefined;
  #isQuiet = true;

  /** @param send - Sends a comment; called between a half and all of the time that `keepAlive` allows. */
  constructor({ keepAlive = 0 }: SseBody, send: (comment: string) => void) {
    // One timer for all pieces: one for each costs more than the piece.
    this.#timer =
      keepAlive > 0 && keepAlive / 2 <= longestTimer
        ? setInterval(() => {
            if (this.#isQuiet) send(comment);
            this.#isQuiet = true;
          }, keepAlive / 2)
        : undefined;
  }

  /** Notes that a piece was sent. */
  note(): void {
    this.#isQuiet = false;
  }

  /** Sends no more. */
  stop(): void {
    clearInterval(this.#timer);
  }
}

function webStream(body: SseBody): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let keepAlive: KeepAlive | undefined;
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        keepAlive ??= new KeepAlive(body, (text) => {
          // Not to a reader that has not read the last one.
          if ((controller.desiredSize ?? -1) >= 0) controller.enqueue(encoder.encode(text));
        });
        const piece = await nextOf(body.frames);
        keepAlive.note();
        if (piece !== null) return controller.enqueue(encoder.encode(piece));
        keepAlive.stop();
        controller.close();
      },
      cancel: () => {
        keepAlive?.stop();
        body.onCancel?.();
        body.frames.cancel();
      },
    },
    // Nothing is read before somebody wants it.
    { highWaterMark: 0 },
  );
}

async function nextOf(frames: Source<string>): Promise<string | null> {
  for (;;) {
    const piece = frames.take();
    if (piece !== undefined) return piece;
    await frames.wait();
  }
}

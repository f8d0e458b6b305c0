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
  readonly frames: AsyncIterator<string, unknown>;
}

/** A comment, which readers skip. */
const comment = ": keep-alive\n\n";

/** The pieces of responses, for servers that can write them without a web stream. */
const bodies = new WeakMap<Response, SseBody>();

/** One server-sent event (https://html.spec.whatwg.org/multipage/server-sent-events.html) of JSON, in which no line break is left. */
export function sseFrame(data: string, id?: number | string): string {
  return id === undefined ? `data: ${data}\n\n` : `id: ${id}\ndata: ${data}\n\n`;
}

/** A response that sends server-sent events as they come: the next one is read once the reader wants it. */
export function sseResponse(frames: AsyncIterable<string>, options: SseOptions = {}): Response {
  const { headers = {}, keepAlive = 15_000, onCancel } = options;
  const body: SseBody = { frames: frames[Symbol.asyncIterator](), keepAlive, ...(onCancel && { onCancel }) };
  const response = new Response(webStream(body), {
    headers: {
      "content-type": "text/event-stream; charset=utf-8",
      // Proxies must neither store nor collect it (the last one is nginx's).
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
      ...headers,
    },
  });
  bodies.set(response, body);
  return response;
}

/** The pieces of a response, if `sseResponse` made it and nobody has read of it: whoever takes them must not read its body. */
export function sseBodyOf(response: Response): SseBody | undefined {
  return response.bodyUsed ? undefined : bodies.get(response);
}

/**
 * The next piece, or a comment if it takes too long.
 * @param waiting - The piece that is waited for, after a comment.
 */
export async function nextFrame(
  { frames, keepAlive = 0 }: SseBody,
  waiting: Promise<IteratorResult<string, unknown>> = frames.next(),
): Promise<{ readonly text?: string; readonly waiting?: Promise<IteratorResult<string, unknown>> }> {
  if (keepAlive === 0) return frameOf(await waiting);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), keepAlive);
  });
  try {
    const next = await Promise.race([waiting, silence]);
    return next ? frameOf(next) : { text: comment, waiting };
  } finally {
    clearTimeout(timer);
  }
}

function frameOf(next: IteratorResult<string, unknown>): { readonly text?: string } {
  return next.done === true ? {} : { text: next.value };
}

function webStream(body: SseBody): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let waiting: Promise<IteratorResult<string, unknown>> | undefined;
  return new ReadableStream(
    {
      pull: async (controller) => {
        const { text, waiting: still } = await nextFrame(body, waiting);
        waiting = still;
        if (text === undefined) controller.close();
        else controller.enqueue(encoder.encode(text));
      },
      cancel: async () => {
        body.onCancel?.();
        await body.frames.return?.();
      },
    },
    // Nothing is read before somebody wants it.
    { highWaterMark: 0 },
  );
}

import type { Fetch, FetchWrapper } from "../../model/wire-seam.ts";
import { secretsIn } from "../recording/secrets.ts";
import { requestOf } from "../recording/wire.ts";

/** An answer as it came over the wire, whole. */
export interface Captured {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer>;
  /** The secrets that the request carried. */
  readonly secrets: readonly string[];
}

/** Lets requests pass and keeps the answers. */
export function capturing(answers: Captured[]): FetchWrapper {
  return (fetch) => async (input, init) => {
    const secrets = secretsIn(requestOf(input, init).headers).filter((secret) => secret.length >= 4);
    const response = await fetch(input, init);
    const body = new Uint8Array(await response.arrayBuffer());
    answers.push({ status: response.status, headers: response.headers, body, secrets });
    const { status, headers } = response;
    return new Response(body.length === 0 ? null : body, { status, headers });
  };
}

/** How a body comes. */
export interface Delivery {
  readonly pieces: readonly Uint8Array<ArrayBuffer>[];
  /** What comes after the pieces: the end by default. */
  readonly end?: "orderly" | "cut" | "stall";
  /** Milliseconds before each piece. */
  readonly delay?: number;
}

/** Watches whether bodies are read to their end or given up. */
export interface BodyWatch {
  open: number;
}

/** A `fetch` that answers each request with the delivery of a captured answer, and heeds the signal like the platform's. */
export function delivering(
  answer: Pick<Captured, "status" | "headers">,
  delivery: Delivery,
  watch: BodyWatch = { open: 0 },
): Fetch {
  return async (_, init) => {
    const signal = init?.signal ?? undefined;
    signal?.throwIfAborted();
    const body = bodyOf(delivery, signal, watch);
    return new Response(body, { status: answer.status, headers: withoutLength(answer.headers) });
  };
}

/** A `fetch` that never answers, until its signal is aborted. */
export const neverAnswering: Fetch = (_, init) =>
  new Promise((_resolve, reject) => {
    const { signal } = init ?? {};
    if (signal?.aborted) reject(signal.reason);
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
  });

function bodyOf(
  { pieces, end, delay }: Delivery,
  signal: AbortSignal | undefined,
  watch: BodyWatch,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let next = 0;
  let isOpen = true;
  const close = (): void => {
    if (isOpen) watch.open--;
    isOpen = false;
  };
  watch.open++;
  return new ReadableStream(
    {
      start(controller) {
        signal?.addEventListener("abort", () => {
          if (isOpen) controller.error(signal.reason);
          close();
        });
      },
      async pull(controller) {
        if (delay !== undefined) await new Promise((resolve) => void setTimeout(resolve, delay));
        if (!isOpen) return;
        const piece = pieces[next++];
        if (piece) return controller.enqueue(piece);
        if (end === "stall") return new Promise<void>(() => undefined);
        close();
        if (end === "cut")
          controller.error(new TypeError("terminated", { cause: new Error("other side closed") }));
        else controller.close();
      },
      cancel: close,
    },
    { highWaterMark: 0 },
  );
}

function withoutLength(headers: Headers): Headers {
  const copied = new Headers(headers);
  copied.delete("content-length");
  copied.delete("content-encoding");
  return copied;
}

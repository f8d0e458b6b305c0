import { KeepAlive, sseBodyOf, type SseBody } from "../base/stream/sse-response.ts";
import { plainRefusal, Refusal } from "./refusal.ts";
import type { NodeRequest, NodeResponse } from "./types.ts";

/** How long the rest of a body is read that nobody wants, so that its sender gets to the answer, in milliseconds. */
const longestRest = 5_000;

/** How long the headers of a stream wait for its first event, in milliseconds. */
const longestHeaders = 20;

/** Answers a request of `node:http` by a fetch handler. Resolves once the answer is written, or the client is gone. */
export async function answerNode(
  fetch: (request: Request) => Promise<Response>,
  incoming: NodeRequest,
  outgoing: NodeResponse,
): Promise<void> {
  const departure = new AbortController();
  const leave = (): void => departure.abort();
  outgoing.once("close", leave);
  try {
    const request = requestOf(incoming, departure.signal);
    const response = request instanceof Refusal ? plainRefusal(request) : await fetch(request);
    outgoing.writeHead(response.status, headersOf(response));
    const sse = sseBodyOf(response);
    if (sse) await writeFrames(sse, outgoing, departure.signal);
    else if (response.body) await writeBody(response.body, outgoing, departure.signal);
    outgoing.end();
  } finally {
    outgoing.off("close", leave);
  }
}

/** The request, or how to refuse what is not one. */
function requestOf(incoming: NodeRequest, signal: AbortSignal): Request | Refusal {
  const { method = "GET", url = "/", headers, socket } = incoming;
  // HTTP/2 has it among its own headers.
  const host = headers["host"] ?? headers[":authority"];
  if (typeof host !== "string") return new Refusal(400, "invalid-host", "The header host is missing.");
  // The address of another server, as proxies are sent it, or `*`.
  if (!url.startsWith("/")) return new Refusal(400, "invalid-request", "The path must begin with a slash.");
  const { encrypted }: { readonly encrypted?: unknown } = Object(socket);
  const list = Object.entries(headers).flatMap(([name, value]): [string, string][] => {
    if (value === undefined || name.startsWith(":")) return [];
    return (Array.isArray(value) ? value : [value]).map((each) => [name, each]);
  });
  if (headers["host"] === undefined) list.push(["host", host]);
  const hasBody = method !== "GET" && method !== "HEAD";
  if (hasBody && wasRead(incoming))
    return new Refusal(
      500,
      "body-was-read",
      "The body was read before the request came to node of serve(), and is not in request.body. Leave it unread; for Fastify see docs/server.md.",
    );
  try {
    return new Request(`${encrypted === true ? "https" : "http"}://${host}${url}`, {
      method,
      headers: list,
      signal,
      ...(hasBody && { body: bodyOf(incoming), duplex: "half" }),
    });
  } catch {
    return new Refusal(400, "invalid-request", "The method, the address or a header is not valid.");
  }
}

/** A body that a framework has parsed already, such as Express with `express.json()`, is written as JSON again. */
function bodyOf(incoming: NodeRequest): ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> | string | null {
  const { headers } = incoming;
  const { body: parsed }: { readonly body?: unknown } = Object(incoming);
  if (parsed === undefined || parsed === null) return streamOf(incoming);
  // Express 4 has `{}` in the place of no body.
  if (headers["content-length"] === undefined && headers["transfer-encoding"] === undefined) return null;
  if (parsed instanceof Uint8Array) return new Uint8Array(parsed);
  return typeof parsed === "string" ? parsed : JSON.stringify(parsed);
}

/** Whether a framework has read the body and kept it to itself, as Fastify does. */
function wasRead(incoming: NodeRequest): boolean {
  const { headers } = incoming;
  const { body, readableDidRead }: { readonly body?: unknown; readonly readableDidRead?: unknown } =
    Object(incoming);
  const isEmpty = headers["transfer-encoding"] === undefined && Number(headers["content-length"] ?? 0) === 0;
  return body === undefined && readableDidRead === true && !isEmpty;
}

function streamOf(incoming: NodeRequest): ReadableStream<Uint8Array> {
  const chunks = incoming[Symbol.asyncIterator]();
  return new ReadableStream(
    {
      pull: async (controller) => {
        const { done, value } = await chunks.next();
        if (done === true) controller.close();
        else controller.enqueue(new Uint8Array(value));
      },
      cancel: () => void skipRest(incoming, chunks),
    },
    { highWaterMark: 0 },
  );
}

/** Reads what is left of a body. Leaving it would close the connection before its sender has the answer. */
async function skipRest(incoming: NodeRequest, chunks: AsyncIterator<Uint8Array, unknown>): Promise<void> {
  const timer = setTimeout(() => {
    if (isDestroyable(incoming)) incoming.destroy();
  }, longestRest);
  try {
    while ((await chunks.next()).done !== true);
  } catch {
    // The sender is gone, or has had its time.
  } finally {
    clearTimeout(timer);
  }
}

function isDestroyable(value: object): value is { destroy(): unknown } {
  return "destroy" in value && typeof value.destroy === "function";
}

function headersOf({ headers }: Response): Record<string, string | string[]> {
  const cookies = headers.getSetCookie();
  return { ...Object.fromEntries(headers), ...(cookies.length > 0 && { "set-cookie": cookies }) };
}

/** Writes server-sent events without a web stream between, which costs more than the events themselves. */
async function writeFrames(body: SseBody, outgoing: NodeResponse, departure: AbortSignal): Promise<void> {
  const { frames, onCancel } = body;
  const leave = (): void => {
    onCancel?.();
    frames.cancel();
  };
  departure.addEventListener("abort", leave, { once: true });
  if (departure.aborted) leave();
  const keepAlive = new KeepAlive(body, (comment) => void outgoing.write(comment));
  // With the first event they cost nothing; where that is long in coming, they go without it.
  const headers = setTimeout(() => outgoing.flushHeaders?.(), longestHeaders);
  try {
    while (!departure.aborted) {
      const piece = frames.take();
      if (piece === null) return;
      if (piece === undefined) {
        await frames.wait();
        continue;
      }
      clearTimeout(headers);
      keepAlive.note();
      if (!outgoing.write(piece)) await drained(outgoing, departure);
    }
  } finally {
    clearTimeout(headers);
    keepAlive.stop();
    departure.removeEventListener("abort", leave);
  }
}

async function writeBody(
  body: ReadableStream<Uint8Array>,
  outgoing: NodeResponse,
  departure: AbortSignal,
): Promise<void> {
  const reader = body.getReader();
  const leave = (): void => void reader.cancel(departure.reason).catch(() => {});
  departure.addEventListener("abort", leave, { once: true });
  if (departure.aborted) leave();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || departure.aborted) return;
      if (!outgoing.write(value)) await drained(outgoing, departure);
    }
  } finally {
    departure.removeEventListener("abort", leave);
  }
}

/** Waits until the client has read what it was sent, or is gone. */
function drained(outgoing: NodeResponse, departure: AbortSignal): Promise<void> {
  if (departure.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const go = (): void => {
      outgoing.off("drain", go);
      departure.removeEventListener("abort", go);
      resolve();
    };
    outgoing.once("drain", go);
    departure.addEventListener("abort", go, { once: true });
  });
}

import type { BodyReader, IncomingRequest } from "./incoming.ts";
import { Refusal } from "./refusal.ts";
import type { NodeRequest, NodeResponse } from "./types.ts";

/** How long the rest of a body is read that nobody wants, so that its sender gets to the answer, in milliseconds. */
const longestRest = 5_000;

/** What fetch handlers are never sent (https://fetch.spec.whatwg.org/#forbidden-method). */
const forbiddenMethods: ReadonlySet<string> = new Set(["CONNECT", "TRACE", "TRACK"]);

/** The request, or how to refuse what is not one. */
export function nodeRequest(incoming: NodeRequest, outgoing: NodeResponse): IncomingRequest | Refusal {
  const { method = "GET", url = "/", headers, socket } = incoming;
  // HTTP/2 has it among its own headers.
  const host = headers["host"] ?? headers[":authority"];
  if (typeof host !== "string") return new Refusal(400, "invalid-host", "The header host is missing.");
  // The address of another server, as proxies are sent it, or `*`.
  if (!url.startsWith("/")) return new Refusal(400, "invalid-request", "The path must begin with a slash.");
  const { encrypted }: { readonly encrypted?: unknown } = Object(socket);
  const address = URL.parse(`${encrypted === true ? "https" : "http"}://${host}${url}`);
  if (hasBody(method) && wasRead(incoming))
    return new Refusal(
      500,
      "body-was-read",
      "The body was read before the request came to node of serve(), and is not in request.body. Leave it unread; for Fastify see docs/server.md.",
    );
  // Names and passwords in an address are not for fetch handlers, either.
  if (!address || address.username !== "" || address.password !== "" || forbiddenMethods.has(method))
    return new Refusal(400, "invalid-request", "The method, the address or a header is not valid.");
  return new ReceivedRequest(incoming, outgoing, address, host);
}

class ReceivedRequest implements IncomingRequest {
  readonly method: string;
  readonly url: URL;
  readonly mount: string;
  readonly headers: Pick<Headers, "get" | "has">;
  /** What writes the answer learns of it by itself. */
  readonly departure: undefined;
  readonly #incoming: NodeRequest;
  readonly #outgoing: NodeResponse;
  #signal: AbortSignal | undefined;
  #request: Request | undefined;

  constructor(incoming: NodeRequest, outgoing: NodeResponse, url: URL, host: string) {
    this.method = incoming.method ?? "GET";
    this.url = url;
    this.mount = mountOf(incoming);
    this.headers = new NodeHeaders(incoming.headers, host);
    this.#incoming = incoming;
    this.#outgoing = outgoing;
  }

  get signal(): AbortSignal {
    return (this.#signal ??= departureOf(this.#outgoing));
  }

  openBody(): BodyReader | undefined {
    const { body: parsed }: { readonly body?: unknown } = Object(this.#incoming);
    const isUnread = this.#request === undefined && (parsed === undefined || parsed === null);
    if (!isUnread) return this.toRequest().body?.getReader();
    return hasBody(this.method) ? new NodeBody(this.#incoming) : undefined;
  }

  toRequest(): Request {
    return (this.#request ??= new Request(this.url, {
      method: this.method,
      headers: listOf(this.#incoming.headers, this.headers.get("host") ?? ""),
      signal: this.signal,
      ...(hasBody(this.method) && { body: bodyOf(this.#incoming), duplex: "half" }),
    }));
  }
}

class NodeHeaders implements Pick<Headers, "get" | "has"> {
  readonly #headers: NodeRequest["headers"];
  readonly #host: string;

  constructor(headers: NodeRequest["headers"], host: string) {
    this.#headers = headers;
    this.#host = host;
  }

  get(name: string): string | null {
    const field = name.toLowerCase();
    if (field === "host") return this.#host;
    const value = Object.hasOwn(this.#headers, field) ? this.#headers[field] : undefined;
    return Array.isArray(value) ? value.join(", ") : (value ?? null);
  }

  has(name: string): boolean {
    return this.get(name) !== null;
  }
}

/** A body as `node:http` receives it. */
class NodeBody implements BodyReader {
  readonly #incoming: NodeRequest;
  readonly #chunks: AsyncIterator<Uint8Array, unknown>;

  constructor(incoming: NodeRequest) {
    this.#incoming = incoming;
    this.#chunks = incoming[Symbol.asyncIterator]();
  }

  async read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array }> {
    const { done, value } = await this.#chunks.next();
    return done === true ? { done } : { done: false, value };
  }

  /** Reads what is left of a body. Leaving it would close the connection before its sender has the answer. */
  async cancel(): Promise<void> {
    const timer = setTimeout(() => {
      if (isDestroyable(this.#incoming)) this.#incoming.destroy();
    }, longestRest);
    try {
      while ((await this.#chunks.next()).done !== true);
    } catch {
      // The sender is gone, or has had its time.
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Where Express, and whatever passes requests on as it does, has mounted the server: it takes that from the address, and keeps the original. */
function mountOf({ url = "/", originalUrl }: NodeRequest): string {
  if (typeof originalUrl !== "string" || !originalUrl.endsWith(url)) return "";
  return originalUrl.slice(0, originalUrl.length - url.length);
}

function hasBody(method: string): boolean {
  return method !== "GET" && method !== "HEAD";
}

/** Aborted once the connection is over. */
function departureOf(outgoing: NodeResponse): AbortSignal {
  const controller = new AbortController();
  if (outgoing.destroyed) controller.abort();
  else outgoing.once("close", () => controller.abort());
  return controller.signal;
}

function listOf(headers: NodeRequest["headers"], host: string): [string, string][] {
  const list = Object.entries(headers).flatMap(([name, value]): [string, string][] => {
    if (value === undefined || name.startsWith(":")) return [];
    return (Array.isArray(value) ? value : [value]).map((each) => [name, each]);
  });
  return headers["host"] === undefined ? [...list, ["host", host]] : list;
}

/** A body that a framework has parsed already, such as Express with `express.json()`, is written as JSON again. */
function bodyOf(incoming: NodeRequest): ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> | string | null {
  const { headers } = incoming;
  const { body: parsed }: { readonly body?: unknown } = Object(incoming);
  if (parsed === undefined || parsed === null) return streamOf(new NodeBody(incoming));
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

function streamOf(body: BodyReader): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      pull: async (controller) => {
        const { done, value } = await body.read();
        if (done) controller.close();
        else if (value) controller.enqueue(new Uint8Array(value));
      },
      cancel: () => void body.cancel(),
    },
    { highWaterMark: 0 },
  );
}

function isDestroyable(value: object): value is { destroy(): unknown } {
  return "destroy" in value && typeof value.destroy === "function";
}

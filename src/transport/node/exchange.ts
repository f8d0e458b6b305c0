import type { Agent, IncomingMessage, RequestOptions } from "node:http";
// Not the global one, which tests replace: their requests would wait for a clock that stands still.
import { setImmediate } from "node:timers";
import { longestWarming, type WireAnswer, type WireExchange } from "../wire/types.ts";
import { decompressed } from "./decompressed.ts";
import { incomingBytes } from "./incoming-bytes.ts";
import { http, https, type HttpModule } from "./modules.ts";
import { freshAgent, poolOf } from "./pools.ts";

/** Takes what an exchange comes to. */
interface Outcome {
  readonly resolve: (answer: WireAnswer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Sends a request by `node:http`, over a connection that is kept for the next request.
 * @param agent - Makes the connections; by default one that all requests share, which follows the environment's proxies.
 */
export async function postByNode(request: WireExchange, agent?: Agent): Promise<WireAnswer> {
  if (performance.now() - lastRequest > shortestRest) await closedConnectionsLeft();
  lastRequest = performance.now();
  return new Promise((resolve, reject) => {
    request.signal.throwIfAborted();
    send(request, agent, { resolve, reject }, true);
  });
}

/** Opens a connection to the server of a `url`, which is kept for the first request. */
export function warmByNode(url: string, agent?: Agent): Promise<boolean> {
  const { module, host, options } = destinationOf(url);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const signal = AbortSignal.timeout(longestWarming);
  const headers = { "user-agent": "skein" };
  const own = { method: "HEAD", path: "/", headers, agent: agent ?? poolOf(module, host), signal };
  module
    .request({ ...options, ...own })
    .on("response", (incoming) => incoming.resume().once("end", () => resolve(true)))
    .on("upgrade", (_, socket) => socket.destroy())
    .on("close", () => resolve(false))
    .on("error", () => resolve(false))
    .end();
  return promise;
}

/** Milliseconds without a request after which servers may have closed kept connections. */
const shortestRest = 20;

let lastRequest = 0;

/** Has the event loop see what servers have closed while the program rested, or computed: a request over it would be lost. */
async function closedConnectionsLeft(): Promise<void> {
  // An end is seen in one round, and the connection is closed in the next.
  for (let round = 0; round < 2; round++) await new Promise<void>((resolve) => setImmediate(resolve));
}

/** @param mayRepeat - Whether the request may go over a fresh connection where a kept one turns out to be closed. */
function send(request: WireExchange, agent: Agent | undefined, outcome: Outcome, mayRepeat: boolean): void {
  const { signal } = request;
  const { module, host, options } = destinationOf(request.url);
  // Looked up for each request: what watches the module's requests puts a function in its place.
  const outgoing = module.request({
    ...options,
    method: request.method ?? "POST",
    headers: { "user-agent": "skein", ...request.headers },
    agent: agent ?? (mayRepeat ? poolOf(module, host) : freshAgent(module, host)),
  });
  const onAbort = (): void => {
    // At once: a destroyed request reports its error a little later.
    outcome.reject(signal.reason);
    outgoing.destroy();
  };
  const leave = (): void => signal.removeEventListener("abort", onAbort);
  let bytesBefore: number | undefined;
  signal.addEventListener("abort", onAbort);
  outgoing.once("socket", (socket) => (bytesBefore = socket.bytesRead));
  outgoing.once("response", (incoming) => {
    incoming.once("close", leave);
    outcome.resolve(answerOf(incoming));
  });
  outgoing.once("upgrade", ({ statusCode }, socket) => {
    leave();
    socket.destroy();
    outcome.reject(new Error(`unexpected status ${statusCode}`));
  });
  outgoing.on("error", (error) => {
    leave();
    const isUnanswered = outgoing.reusedSocket && outgoing.socket?.bytesRead === bytesBefore;
    if (mayRepeat && !signal.aborted && isUnanswered && isUnsent(error)) send(request, agent, outcome, false);
    else outcome.reject(error);
  });
  outgoing.end(bodyOf(request));
}

/** Node writes the headers in the encoding of a text that follows them: bytes leave them as they are. */
function bodyOf({ headers, body = "" }: WireExchange): string | Uint8Array {
  if (typeof body !== "string") return body;
  return Object.values(headers).every((value) => /^[\t\x20-\x7e]*$/.test(value)) ? body : Buffer.from(body);
}

/** Whether the request could not be written. One that was written may have been read, and must not be read twice. */
function isUnsent(error: Error): boolean {
  return ("syscall" in error && error.syscall === "write") || ("code" in error && error.code === "EPIPE");
}

function answerOf(incoming: IncomingMessage): WireAnswer {
  const { statusCode: status = 0, rawHeaders } = incoming;
  const headers = headersOf(rawHeaders);
  const body = incomingBytes(decompressed(incoming, headers.get("content-encoding")));
  return { status, headers, isRedirect: status >= 300 && status < 400, body };
}

interface Destination {
  readonly module: HttpModule;
  readonly host: string;
  readonly options: RequestOptions;
}

/** The last address: a program has few, one after the other the same. */
let last: { readonly url: string; readonly destination: Destination } | undefined;

function destinationOf(url: string): Destination {
  if (last?.url === url) return last.destination;
  const { protocol, hostname, port, pathname, search } = new URL(url);
  const host = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
  const options = { protocol, host, port, path: pathname + search };
  const destination = { module: protocol === "https:" ? https : http, host, options };
  last = { url, destination };
  return destination;
}

/** As `fetch` shows them: names in lower case, values of one name joined. */
function headersOf(raw: readonly string[]): Map<string, string> {
  const headers = new Map<string, string>();
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = (raw[at] ?? "").toLowerCase();
    const value = raw[at + 1] ?? "";
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return headers;
}

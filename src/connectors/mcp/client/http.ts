import type { Transport } from "@modelcontextprotocol/client";
import { sleep } from "../../../base/util/sleep.ts";
import { CutOff } from "./cut-off.ts";
import { errorReply } from "./unreadable.ts";
import { type FetchLike, limitedFetch } from "./limit-body.ts";
import { defaultConnectTimeout } from "./limits.ts";
import { withoutCircles } from "./redirects.ts";
import type { Sdk } from "./sdk.ts";
import type { ConnectionSecrets } from "./secrets.ts";
import type { McpUrlOptions } from "./types.ts";

/** Statuses about authorization and rate limits: another transport would get the same. */
const otherReasons = new Set([401, 403, 407, 408, 429]);

/** A transport for an address, of the newer or the older kind. */
export async function httpTransport(
  sdk: Sdk,
  kind: "http" | "sse",
  options: McpUrlOptions,
  maxMessageBytes: number,
  secrets: ConnectionSecrets,
): Promise<Transport> {
  const { url, headers, auth, fetch = globalThis.fetch, connectTimeout = defaultConnectTimeout } = options;
  const address = new URL(url);
  const limited = limitedFetch(secrets.remembering(fetch), maxMessageBytes);
  const identified = {
    fetch: limited,
    ...(auth && (await import("../auth/index.ts")).identify(sdk, auth, address, limited, connectTimeout)),
  };
  const settings = {
    ...identified,
    fetch: pacedStreams(withoutCircles(identified.fetch)),
    ...(headers && { requestInit: { headers: { ...headers } } }),
  };
  if (kind === "sse") return new sdk.SSEClientTransport(address, settings);
  return endingWithItsStreams(new sdk.StreamableHTTPClientTransport(address, settings));
}

/** Milliseconds between two streams of a server's own messages. */
const streamPace = 1_000;

/** A stream that the server ends is opened again once a second at most, however soon the server wants it. */
function pacedStreams(fetch: FetchLike): FetchLike {
  let next = 0;
  return async (url, init) => {
    const isStream = new Headers(init?.headers).get("accept") === "text/event-stream";
    if (!isStream || (init?.method ?? "GET") !== "GET") return fetch(url, init);
    const delay = next - performance.now();
    next = performance.now() + Math.max(0, delay) + streamPace;
    if (delay > 0) await sleep(delay, init?.signal ?? undefined);
    return fetch(url, init);
  };
}

/** Whether a server that refused the newer transport so may know the older one. */
export function mayBeOlder(sdk: Sdk, error: unknown): boolean {
  if (!(error instanceof sdk.SdkHttpError)) return false;
  const { status } = error.data;
  return status >= 400 && status < 500 && !otherReasons.has(status);
}

/** A request whose stream of answers ends without one has failed, instead of waiting for its deadline. */
function endingWithItsStreams(transport: Transport): Transport {
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    if (!("method" in message) || !("id" in message)) return send(message, options);
    const { id } = message;
    const onRequestStreamEnd = (): void =>
      transport.onmessage?.(errorReply(id, "the server's stream ended before its answer", new CutOff()));
    return send(message, { ...options, onRequestStreamEnd });
  };
  return transport;
}

import type { ByteSource } from "../../base/stream/bytes.ts";

/** What is known of an `Agent` of `node:http` or `node:https`: these types stand where Node's are not installed, too. */
export interface HttpAgent {
  /** The most connections to a host. */
  readonly maxSockets: number;
  /** Closes all connections. */
  destroy(): void;
}

/** How long a connection is waited for that no request needs yet, in milliseconds. */
export const longestWarming = 10_000;

/** A request as it goes over the wire. */
export interface WireRequest {
  /** An http or https address without credentials. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Ends the exchange, whatever has come of the answer. */
  readonly signal: AbortSignal;
}

/** A request with more than a text, such as the bytes of a file, or without a body. */
export interface WireExchange extends Omit<WireRequest, "body"> {
  /** `"POST"` by default. */
  readonly method?: "GET" | "POST" | undefined;
  readonly body?: string | Uint8Array<ArrayBuffer> | undefined;
}

/** An answer whose head has come. */
export interface WireAnswer {
  readonly status: number;
  /** Names in lower case, no name twice. */
  readonly headers: Iterable<readonly [name: string, value: string]>;
  /** Whether the server leads elsewhere. Nobody follows. */
  readonly isRedirect: boolean;
  /** `undefined` for an answer that cannot have any. Decompressed. */
  readonly body: ByteSource | undefined;
}

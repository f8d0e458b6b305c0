import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { bytesOf } from "../../base/stream/bytes.ts";
import { readText } from "../../base/stream/sse.ts";
import type { WireAnswer, WireRequest } from "../wire/types.ts";

/** A server that speaks in bytes, on a free port of this machine. */
export interface ByteServer {
  readonly url: string;
  readonly port: number;
  /** The requests so far, heads and bodies, in the order in which they came. */
  readonly requests: readonly string[];
  /** Connections so far. */
  readonly connections: readonly Socket[];
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts a server.
 * @param answer - Called once a request is there whole, with its number on its connection, counted from 1.
 */
export async function serveBytes(
  answer: (socket: Socket, count: number, request: string) => void,
): Promise<ByteServer> {
  const requests: string[] = [];
  const connections: Socket[] = [];
  const server = createServer((socket) => {
    connections.push(socket);
    let count = 0;
    let text = "";
    socket.on("error", () => {});
    socket.on("data", (piece) => {
      text += piece.toString("latin1");
      for (let end = endOf(text); end > 0; end = endOf(text)) {
        const request = text.slice(0, end);
        text = text.slice(end);
        requests.push(request);
        answer(socket, ++count, request);
      }
    });
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}/v1/chat`,
    port,
    requests,
    connections,
    async [Symbol.asyncDispose]() {
      for (const socket of connections) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** Where the first request ends; 0 while it is not whole. */
function endOf(text: string): number {
  const head = text.indexOf("\r\n\r\n");
  const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
  return head < 0 || text.length < head + 4 + length ? 0 : head + 4 + length;
}

/** Listens on a free port of this machine. */
export async function listen(server: Server, host = "127.0.0.1"): Promise<number> {
  server.listen(0, host);
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return address.port;
}

/** A request whose signal is never aborted unless one is passed. */
export function requestTo(url: string, more: Partial<WireRequest> = {}): WireRequest {
  return {
    url,
    headers: { "content-type": "application/json" },
    body: '{"a":"ä"}',
    signal: new AbortController().signal,
    ...more,
  };
}

/** The text of an answer. */
export async function textOf({ body = bytesOf(new Blob([]).stream()) }: WireAnswer): Promise<string> {
  return (await readText(body, 1 << 30)).text;
}

/** An answer in bytes, with its length. */
export function ok(text: string, headers = ""): string {
  return `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: ${Buffer.byteLength(text)}\r\n${headers}\r\n${text}`;
}

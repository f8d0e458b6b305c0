import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** How the server answers the next requests. */
export interface Answer {
  readonly status?: number;
  /** The content type, `text/event-stream` by default; none if empty. */
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body, in the pieces in which a client receives it. */
  readonly chunks?: readonly (string | Uint8Array)[];
  /** Called after the chunks, instead of ending the answer. */
  readonly after?: (response: ServerResponse) => void;
}

/** A request as the server received it. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}

/** A real HTTP server on this machine, whose answers a test sets. */
export interface TestServer {
  readonly url: string;
  /** The requests so far, oldest first. */
  readonly received: Received[];
  answer(answer: Answer): void;
  /** Accepts requests, but never answers them. */
  ignore(): void;
  close(): Promise<void>;
}

/** Starts a server on a free port of 127.0.0.1. */
export async function startServer(): Promise<TestServer> {
  let next: Answer | undefined;
  const received: Received[] = [];
  const server = createServer((incoming, response) => {
    const pieces: Buffer[] = [];
    incoming.on("data", (piece: Buffer) => pieces.push(piece));
    incoming.on("end", () => {
      const text = Buffer.concat(pieces).toString();
      const isJson = text.startsWith("{");
      const body = (isJson ? JSON.parse(text) : { text }) as Record<string, unknown>;
      received.push({ path: incoming.url ?? "", headers: incoming.headers, body });
      if (next) reply(response, next);
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    answer: (answer) => void (next = answer),
    ignore: () => void (next = undefined),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function reply(response: ServerResponse, answer: Answer): void {
  const { status = 200, type = "text/event-stream", headers = {}, chunks = [] } = answer;
  response.writeHead(status, { ...(type && { "content-type": type }), ...headers });
  response.flushHeaders();
  // One write of many HTTP chunks: a client receives them one by one, however the network joins packets.
  const frames = chunks.flatMap((chunk) => {
    const bytes = Buffer.from(chunk);
    return bytes.length === 0 ? [] : [`${bytes.length.toString(16)}\r\n`, bytes, "\r\n"];
  });
  response.socket?.write(Buffer.concat(frames.map((frame) => Buffer.from(frame))));
  if (answer.after) answer.after(response);
  else response.end();
}

/** Events as a server sends them, one data line each. */
export function sse(...events: readonly (object | string)[]): string {
  return events
    .map((event) => `data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`)
    .join("");
}

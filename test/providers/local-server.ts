import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { Body } from "./rules.ts";

/** A request as it came in. */
export interface Received {
  /** The body as it was sent. */
  readonly text: string;
  readonly body: Body;
}

/** How a request is answered. */
export interface Reply {
  /** `text/event-stream` by default. */
  readonly type?: string;
  /** 200 by default. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly pieces: readonly (string | Uint8Array)[];
  /** How the answer ends: in order, by closing the connection in the middle, or never. In order by default. */
  readonly end?: "orderly" | "cut" | "never";
}

/** A server on this machine that speaks whatever protocol it is told to. */
export interface LocalServer extends AsyncDisposable {
  readonly url: string;
  /** The requests so far, oldest first. */
  readonly received: Received[];
}

/** Starts a server on a free port of 127.0.0.1. It asks for the reply to each request, which it counts from 0. */
export async function serve(replyTo: (index: number, received: Received) => Reply): Promise<LocalServer> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const entry: Received = { text, body: JSON.parse(text) };
    await send(response, replyTo(received.push(entry) - 1, entry));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function send(
  response: ServerResponse,
  { type = "text/event-stream", status = 200, headers, pieces, end }: Reply,
): Promise<void> {
  response.writeHead(status, { "content-type": type, ...headers });
  for (const piece of pieces) {
    await new Promise((sent) => void response.write(piece, sent));
  }
  if (end === "cut") response.destroy();
  else if (end !== "never") response.end();
}

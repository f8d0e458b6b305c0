import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { startTimer } from "../../../base/util/timer.ts";
import { McpError } from "../client/errors.ts";

const path = "/callback";

/** Awaits the browser of a user who was sent to an authorization server (RFC 8252, section 7.3). */
export interface Loopback {
  /** Where the user is sent back to. */
  readonly redirectUrl: string;
  /** The parameters of the answer with this `state`; responses with another one are ignored. */
  answer(state: string, timeout: number): Promise<URLSearchParams>;
  close(): void;
}

/**
 * Opens a server on 127.0.0.1 for one answer.
 * @param port - One that is free where it is 0.
 * @throws the system's error if the port is taken.
 */
export async function openLoopback(port: number): Promise<Loopback> {
  const waiting = new Map<string, (params: URLSearchParams) => void>();
  const server = createServer((request, response) => receive(request, response, waiting));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return {
    redirectUrl: `http://127.0.0.1:${portOf(server)}${path}`,
    answer: (state, timeout) =>
      new Promise((resolve, reject) => {
        const stop = startTimer(() => {
          const message = `nobody allowed it in the browser within ${timeout} ms`;
          reject(new McpError(message, { code: "mcp-auth" }));
        }, timeout);
        waiting.set(state, (params) => {
          stop();
          resolve(params);
        });
      }),
    close,
  };
}

const nowhere = { pathname: "", searchParams: new URLSearchParams() };

function receive(
  { url = "/", method }: IncomingMessage,
  response: ServerResponse,
  waiting: Map<string, (params: URLSearchParams) => void>,
): void {
  // Any page of the browser can ask for anything, also for what is not an address.
  const { pathname, searchParams } = URL.parse(url, "http://127.0.0.1") ?? nowhere;
  const state = searchParams.get("state") ?? "";
  const resolve = waiting.get(state);
  response.setHeader("content-type", "text/plain; charset=utf-8").setHeader("cache-control", "no-store");
  if (method !== "GET" || pathname !== path || !resolve) {
    response.writeHead(404).end("There is nothing here.\n");
    return;
  }
  waiting.delete(state);
  const words = searchParams.has("code")
    ? "Done: you can close this page."
    : "It was not allowed. You can close this page.";
  response.writeHead(200, { connection: "close" }).end(`${words}\n`, () => resolve(searchParams));
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { NodeStreamableHTTPServerTransport, toNodeHandler } from "@modelcontextprotocol/node";
import {
  createMcpHandler,
  type JSONRPCMessage,
  type McpServer,
  type Transport,
} from "@modelcontextprotocol/server";
import { executeToolCalls } from "../../../run/execute-tool-calls.ts";
import type { ToolResult } from "../../../message/messages.ts";
import type { Toolset } from "../../../tool/types.ts";
import { everyday } from "./fixtures/everyday.ts";

/** The path of a fixture. */
export function fixture(name: string): string {
  return fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));
}

/** Calls tools as a run does: `["add", { a: 1 }]`. */
export function callTools(
  tools: Toolset,
  ...calls: readonly (readonly [name: string, args?: object])[]
): Promise<readonly ToolResult[]> {
  return executeToolCalls(
    calls.map(([toolName, args = {}], index) => ({
      toolCallId: `call-${index}`,
      toolName,
      arguments: JSON.stringify(args),
    })),
    [tools],
  );
}

/** The text that a model is shown of a result. */
export function textOf(result: ToolResult | undefined): string {
  return result?.content.map((part) => ("text" in part ? part.text : part.url)).join("\n") ?? "";
}

/** A local HTTP server, until it is closed. */
export interface LocalServer extends AsyncDisposable {
  readonly url: string;
  /** The headers of every request so far. */
  readonly headers: IncomingMessage["headers"][];
  /** Every request so far, such as `POST /mcp`. */
  readonly requests: string[];
  /** Ends every connection, also those of streams; others can be made. */
  endStreams(): void;
}

type Handle = (request: IncomingMessage, response: ServerResponse) => unknown;

/** Serves on 127.0.0.1, on a free port. */
export async function serve(handle: Handle): Promise<LocalServer> {
  const headers: IncomingMessage["headers"][] = [];
  const requests: string[] = [];
  const server = createServer((request, response) => {
    headers.push(request.headers);
    requests.push(`${request.method} ${request.url}`);
    void handle(request, response);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    headers,
    requests,
    endStreams: () => server.closeAllConnections(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}

/** A server, by default the everyday one, as revision 2026-07-28 has it. */
export function serveModern(make: () => McpServer = everyday): Promise<LocalServer> {
  const handler = createMcpHandler(make);
  // The adapter's types do not say that what a request does not have may be undefined.
  return serve(toNodeHandler(handler) as Handle);
}

/** The same, which does not answer, and ends its streams, while `state.isDown`. */
export async function serveUnsteady(state: { isDown: boolean }): Promise<LocalServer> {
  const handle = toNodeHandler(createMcpHandler(everyday)) as Handle;
  return serve((request, response) => (state.isDown ? request.destroy() : handle(request, response)));
}

/** The everyday server as revision 2025-11-25 has it: with sessions, which can be forgotten. */
export function serveSessions(
  sessions: Map<string, NodeStreamableHTTPServerTransport>,
  make: () => McpServer = everyday,
): Promise<LocalServer> {
  return serve(async (request, response) => {
    const id = String(request.headers["mcp-session-id"] ?? "");
    const known = sessions.get(id);
    if (known) return known.handleRequest(request, response);
    if (id !== "") return response.writeHead(404).end();
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (session) => void sessions.set(session, transport),
    });
    await make().connect(transport);
    return transport.handleRequest(request, response);
  });
}

/** The everyday server as the HTTP+SSE transport of 2024-11-05 has it: one stream for the answers, POSTs beside it. */
export function serveSse(): Promise<LocalServer> {
  const streams = new Map<string, Transport>();
  return serve(async (request, response) => {
    const { searchParams } = new URL(request.url ?? "/", "http://localhost");
    if (request.method === "GET") {
      const id = randomUUID();
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(`event: endpoint\ndata: /mcp?session=${id}\n\n`);
      const transport: Transport = {
        start: async () => undefined,
        send: async (message: JSONRPCMessage) =>
          void response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`),
        close: async () => void response.end(),
      };
      streams.set(id, transport);
      return everyday().connect(transport);
    }
    const transport = streams.get(searchParams.get("session") ?? "");
    if (!transport) return response.writeHead(405).end();
    const message: JSONRPCMessage = JSON.parse(await text(request));
    response.writeHead(202).end();
    return transport.onmessage?.(message);
  });
}

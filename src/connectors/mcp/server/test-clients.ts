import { Client, StreamableHTTPClientTransport, type ClientOptions } from "@modelcontextprotocol/client";
import { onTestFinished } from "vitest";
import { serveMcp } from "./serve-mcp.ts";
import type { McpServeHttpOptions, McpServerDefinition, McpServing } from "./types.ts";

/** The two revisions that are served. */
export const revisions = ["2025-11-25", "2026-07-28"] as const;

/** One of the revisions that are served. */
export type Revision = (typeof revisions)[number];

/** Serves over HTTP on a free port until the test is over. */
export async function served(
  definition: McpServerDefinition,
  options: Partial<McpServeHttpOptions> = {},
): Promise<McpServing & { readonly url: string }> {
  const serving = await serveMcp(definition, { transport: { http: { port: 0, ...options } } });
  onTestFinished(() => serving.close());
  return { ...serving, url: serving.url ?? "" };
}

/** The official client, connected until the test is over. */
export async function connected(
  url: string,
  revision: Revision = "2025-11-25",
  options: ClientOptions = {},
): Promise<{ readonly client: Client; readonly transport: StreamableHTTPClientTransport }> {
  const client = newClient(revision, options);
  return { client, transport: await connectClient(client, url) };
}

/** Connects a client until the test is over. */
export async function connectClient(client: Client, url: string): Promise<StreamableHTTPClientTransport> {
  const transport = new StreamableHTTPClientTransport(new URL(url));
  await client.connect(transport);
  onTestFinished(() => client.close());
  return transport;
}

/** The official client, for one revision only. */
export function newClient(revision: Revision, options: ClientOptions = {}): Client {
  const mode = revision === "2025-11-25" ? ("legacy" as const) : { pin: revision };
  return new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode }, ...options });
}

/** Sends a message unchanged, and returns the answer. */
export async function post(
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

/** What opens a session of the older revision. */
export const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "test", version: "1.0.0" },
  },
};

import { noteOrigin } from "../../../tool/origins.ts";
import { assertKnownOptions, invalidOption } from "../../../base/options/known-options.ts";
import type {
  McpHandler,
  McpHandlerOptions,
  McpServeOptions,
  McpServerDefinition,
  McpServing,
} from "./types.ts";

/**
 * Serves tools and agents to MCP clients, of revision 2025-11-25 and of 2026-07-28.
 * ```ts
 * await serveMcp({ tools: [getWeather] }, { transport: "stdio" });
 * ```
 * Over stdio, standard output belongs to the protocol: what else is written there meanwhile, `console.log` included, goes to
 * standard error.
 * @throws ConfigurationError for something that is not a tool, unknown options, a port that is not available, or if the official SDK is not
 * installed; NameClashError if two tools have the same name.
 */
export async function serveMcp(
  definition: McpServerDefinition,
  options: McpServeOptions,
): Promise<McpServing> {
  noteOrigin(definition?.tools, serveMcp, [0, "tools"]);
  const { transport } = options ?? {};
  if (transport !== "stdio" && (typeof transport !== "object" || transport === null)) {
    throw invalidOption(
      'serveMcp() takes { transport: "stdio" } or { transport: { http: { port } } } as well.',
      {
        option: "transport",
      },
    );
  }
  const place = "The second argument of serveMcp() (all but the transport belongs in the first)";
  assertKnownOptions(options, { transport: true }, place);
  if (typeof transport === "object" && "http" in transport) {
    const { serveHttp } = await import("./serve-http.ts");
    return serveHttp(definition, transport.http);
  }
  const { serveTransport } = await import("./serve-transport.ts");
  return serveTransport(definition, transport);
}

/**
 * A server as a fetch handler, to be mounted in another server: `export default await mcpHandler({ tools })`, or
 * `app.all("/mcp", (c) => handler.fetch(c.req.raw))`. It keeps the sessions of its clients, so all requests of one have to come
 * to the same process.
 * @throws ConfigurationError for something that is not a tool, or if the official SDK is not installed; NameClashError if two
 * tools have the same name.
 */
export async function mcpHandler(
  definition: McpServerDefinition,
  options: McpHandlerOptions = {},
): Promise<McpHandler> {
  noteOrigin(definition?.tools, mcpHandler, [0, "tools"]);
  const { makeHandler } = await import("./make-handler.ts");
  return makeHandler(definition, options);
}

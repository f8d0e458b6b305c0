import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { ConfigurationError } from "../../../errors.ts";
import { errorMessage } from "../../../base/util/error-message.ts";
import { handlerOptions, isHost, makeHandler } from "./make-handler.ts";
import { reporterOf } from "./offer.ts";
import { loadNodeAdapter } from "./sdk.ts";
import type { McpServeHttpOptions, McpServerDefinition, McpServing } from "./types.ts";
import { assertKnownOptions } from "../../../base/options/known-options.ts";

const optionNames = {
  ...handlerOptions,
  port: true,
  host: true,
  path: true,
} satisfies Record<keyof McpServeHttpOptions, true>;

/**
 * Serves over HTTP.
 * @throws ConfigurationError (`listen`) if the port is not available, and as in `serveMcp`.
 */
export async function serveHttp(
  definition: McpServerDefinition,
  options: McpServeHttpOptions,
): Promise<McpServing> {
  assertKnownOptions(options, optionNames, "http of serveMcp()");
  const { port, host = "127.0.0.1", path = "/mcp", ...limits } = options;
  const { toNodeHandler } = await loadNodeAdapter();
  const { createServer } = await import("node:http");
  const handler = await makeHandler(definition, { allowedHosts: hostsOf(host), ...limits });
  const answer = toNodeHandler(handler, { onerror: reporterOf(definition) });
  const server = createServer((request, response) => {
    const { method = "GET", url = "/", headers } = request;
    // Before an address is made of it.
    if (headers.host !== undefined && !isHost(headers.host)) return void response.writeHead(400).end();
    // oxlint-disable-next-line no-restricted-properties -- two names that this line sets
    if (url.split("?")[0] === path) return void answer(Object.assign(request, { method, url }), response);
    response.writeHead(404).end();
  });
  const { address, family, port: bound } = await listen(server, port, host);
  const name = family === "IPv6" ? `[${address}]` : address;
  const closed = new Promise<void>((resolve) => server.once("close", resolve));
  return {
    ...handler,
    url: `http://${name}:${bound}${path}`,
    closed,
    close: async () => {
      await handler.close();
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** The names of this machine, and the requested host unless it stands for all addresses. */
function hostsOf(host: string): readonly string[] {
  const local = ["localhost", "127.0.0.1", "[::1]"];
  if (host === "0.0.0.0" || host === "::") return local;
  return [...local, host.includes(":") ? `[${host}]` : host];
}

function listen(server: Server, port: number, host: string): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    const fail = (cause: unknown): void => {
      const why = `MCP cannot be served on ${host}:${port}: ${errorMessage(cause)}`;
      reject(new ConfigurationError(why, { code: "listen", data: { host, port }, cause }));
    };
    server.once("error", fail);
    server.listen(port, host, () => {
      server.off("error", fail);
      const address = server.address();
      if (typeof address === "object" && address) resolve(address);
      else fail("it has no port");
    });
  });
}

import type { Transport } from "@modelcontextprotocol/server";
import { createServer, type ConnectedServer } from "./create-server.ts";
import { notifier } from "./notifier.ts";
import { makeOffer } from "./offer.ts";
import { loadSdk } from "./sdk.ts";
import type { McpServeOptions, McpServerDefinition, McpServing, McpTransport } from "./types.ts";

/**
 * Serves tools and agents to MCP clients, of revision 2025-11-25 and of 2026-07-28.
 * ```ts
 * await serveMcp({ tools: [getWeather] }, { transport: "stdio" });
 * ```
 * Over stdio, standard output belongs to the protocol: what else is written there meanwhile, `console.log` included, goes to
 * standard error.
 * @throws ConfigurationError for something that is no tool, a port that cannot be had, or if the official SDK is not
 * installed; NameClashError if two tools have the same name.
 */
export async function serveMcp(
  definition: McpServerDefinition,
  { transport }: McpServeOptions,
): Promise<McpServing> {
  if (typeof transport === "object" && "http" in transport) {
    const { serveHttp } = await import("./serve-http.ts");
    return serveHttp(definition, transport.http);
  }
  const sdk = await loadSdk();
  const { serveStdio } = await import("@modelcontextprotocol/server/stdio");
  const offer = makeOffer(sdk, definition);
  const servers = new Set<ConnectedServer>();
  const { wire, giveBack } = transport === "stdio" ? await stdio() : { wire: asTransport(transport) };
  const connected = serveStdio(
    ({ era }) => {
      const made = createServer(sdk, offer, era === "modern");
      made.server.onclose = () => void servers.delete(made);
      servers.add(made);
      return made.server;
    },
    { transport: wire, onerror: offer.report },
  );
  const closed = whenClosed(wire);
  if (giveBack) void closed.then(giveBack);
  return {
    ...notifier(() => [...servers], offer.report),
    closed,
    close: () => connected.close(),
  };
}

/** Standard input and output, and what gives the output back to the rest of the program. */
async function stdio(): Promise<{ readonly wire: Transport; readonly giveBack?: () => void }> {
  const { StdioServerTransport } = await import("@modelcontextprotocol/server/stdio");
  const { ownOutput } = await import("./own-output.ts");
  const { wire, giveBack } = ownOutput();
  return { wire: new StdioServerTransport(process.stdin, wire), giveBack };
}

function asTransport(transport: McpTransport): Transport {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its messages are those of the SDK, which this type does not repeat
  return transport as unknown as Transport;
}

/** Whoever serves the transport has set its `onclose` by now. */
function whenClosed(wire: Transport): Promise<void> {
  return new Promise((resolve) => {
    const before = wire.onclose;
    wire.onclose = () => {
      before?.();
      resolve();
    };
  });
}

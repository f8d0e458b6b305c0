import type { Transport } from "@modelcontextprotocol/server";
import { createServer, type ConnectedServer } from "./create-server.ts";
import { notifier } from "./notifier.ts";
import { makeOffer } from "./offer.ts";
import { loadSdk, loadStdio } from "./sdk.ts";
import type { McpServerDefinition, McpServing } from "./types.ts";
import type { McpTransport } from "../transport.ts";

/** Serves over standard input and output, or a transport of the program's own: see `serveMcp`. */
export async function serveTransport(
  definition: McpServerDefinition,
  transport: "stdio" | McpTransport,
): Promise<McpServing> {
  const sdk = await loadSdk();
  const { serveStdio } = await loadStdio();
  const offer = makeOffer(sdk, definition);
  const servers = new Set<ConnectedServer>();
  const { wire, giveBack } = transport === "stdio" ? await stdio() : { wire: transport };
  const connected = serveStdio(
    ({ era }) => {
      const server = createServer(sdk, offer, { isModern: era === "modern" });
      server.server.onclose = () => void servers.delete(server);
      servers.add(server);
      return server.server;
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
  const { StdioServerTransport } = await loadStdio();
  const { ownOutput } = await import("./own-output.ts");
  const { wire, giveBack } = ownOutput();
  return { wire: new StdioServerTransport(process.stdin, wire), giveBack };
}

/** The server of the transport has set its `onclose` by now. */
function whenClosed(wire: Transport): Promise<void> {
  return new Promise((resolve) => {
    const before = wire.onclose;
    wire.onclose = () => {
      before?.();
      resolve();
    };
  });
}

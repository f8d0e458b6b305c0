import type { McpHttpHandler } from "@modelcontextprotocol/server";
import { cancelWith } from "./cancel-with.ts";
import { createServer } from "./create-server.ts";
import { notifier } from "./notifier.ts";
import { makeOffer } from "./offer.ts";
import { loadSdk, type Sdk } from "./sdk.ts";
import { refusal, Sessions } from "./sessions.ts";
import type { McpHandler, McpHandlerOptions, McpNotifier, McpServerDefinition } from "./types.ts";
import { assertKnownOptions } from "../../../base/options/known-options.ts";

/** The names of the options, for checks. */
export const handlerOptions: Readonly<Record<keyof McpHandlerOptions, true>> = {
  allowedHosts: true,
  allowedOrigins: true,
  maxSessions: true,
  maxBodyBytes: true,
};

/** Makes a fetch handler: see `mcpHandler`. */
export async function makeHandler(
  definition: McpServerDefinition,
  options: McpHandlerOptions = {},
): Promise<McpHandler> {
  assertKnownOptions(options, handlerOptions, "mcpHandler()");
  const sdk = await loadSdk();
  const offer = makeOffer(sdk, definition);
  const { maxSessions = 1_000, maxBodyBytes: maxRequestBodySize = sdk.DEFAULT_MAX_REQUEST_BODY_SIZE } =
    options;
  const sessions = new Sessions(sdk, offer, { maxSessions, maxBodyBytes: maxRequestBodySize });
  const modern = sdk.createMcpHandler(
    () => createServer(sdk, offer, { isModern: true, isLasting: false }).server,
    {
      legacy: "reject",
      maxRequestBodySize,
      onerror: offer.report,
    },
  );
  const refuse = guard(sdk, options);
  return {
    fetch: async (request) => {
      const refused = refuse(request);
      if (refused) return refused;
      const isLegacy = await sdk.isLegacyRequest(request, undefined, { maxRequestBodySize });
      const response = await (isLegacy ? sessions.fetch(request) : modern.fetch(request));
      return cancelWith(response, request.signal);
    },
    close: async () => {
      await Promise.all([sessions.close(), modern.close()]);
    },
    ...both(
      notifier(() => sessions.servers, offer.report),
      modern.notify,
    ),
  };
}

/** Whether the text is a host with or without a port: in an address, any more would have another meaning. */
export function isHost(text: string): boolean {
  return /^(?:\[[\da-f:.]+\]|[\w.-]+)(?::\d{0,5})?$/i.test(text) && URL.canParse(`http://${text}`);
}

/** Refuses what a page of another site sends (DNS rebinding). */
function guard(
  sdk: Sdk,
  { allowedHosts, allowedOrigins }: McpHandlerOptions,
): (request: Request) => Response | undefined {
  const hosts = [...(allowedHosts ?? sdk.localhostAllowedHostnames())];
  const origins = [...(allowedOrigins ?? sdk.localhostAllowedOrigins())];
  return (request) => {
    // Where a runtime keeps the header to itself, the address was made of it.
    const host = request.headers.get("host") ?? new URL(request.url).host;
    if (!isHost(host)) return refusal(400, -32_000, "Invalid Host header");
    const named = sdk.validateHostHeader(host, hosts);
    if (!named.ok) return refusal(403, -32_000, named.message);
    return sdk.originValidationResponse(request, origins);
  };
}

function both(one: McpNotifier, other: McpHttpHandler["notify"]): McpNotifier {
  return {
    toolsChanged: () => (one.toolsChanged(), other.toolsChanged()),
    promptsChanged: () => (one.promptsChanged(), other.promptsChanged()),
    resourcesChanged: () => (one.resourcesChanged(), other.resourcesChanged()),
    resourceUpdated: (uri) => (one.resourceUpdated(uri), other.resourceUpdated(uri)),
  };
}

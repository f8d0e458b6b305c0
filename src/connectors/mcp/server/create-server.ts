import type {
  CompleteRequest,
  CompleteResult,
  Server,
  ServerCapabilities,
} from "@modelcontextprotocol/server";
import { callTool } from "./call-tool.ts";
import { listTools } from "./list-tools.ts";
import type { Offer } from "./offer.ts";
import { page } from "./page.ts";
import { ServedRequest, subjectOf, type RequestHost } from "./request.ts";
import type { Sdk } from "./sdk.ts";

/** The most addresses that one connection may subscribe to. */
const mostSubscriptions = 10_000;

/** The most values that a completion gives, by the protocol. */
const mostValues = 100;

/** The server of one connection, or of one request. */
export interface ConnectedServer {
  readonly server: Server;
  /** Whether it speaks revision 2026-07-28. */
  readonly isModern: boolean;
  /** What a client of the older revision has subscribed to. */
  readonly subscriptions: ReadonlySet<string>;
}

/**
 * Makes a server: all of them answer alike.
 * @param isLasting whether it is that of a connection, and not of one request alone.
 */
export function createServer(
  sdk: Sdk,
  offer: Offer,
  { isModern, isLasting = true }: { readonly isModern: boolean; readonly isLasting?: boolean },
): ConnectedServer {
  const { name = "skein", version = "0.0.0", instructions } = offer.definition;
  const server = new sdk.Server(
    { name, version },
    {
      capabilities: capabilitiesOf(offer),
      ...(instructions !== undefined && { instructions }),
      requestState: { verify: (state, ctx) => offer.codec.verify(state, ctx) },
    },
  );
  server.onerror = offer.report;
  const host: RequestHost = {
    sdk,
    server,
    isModern,
    usedStates: offer.usedStates,
    succeeded: isLasting ? new Set() : undefined,
    mint: (state, ctx) => offer.codec.mint(state, ctx),
  };
  const subscriptions = new Set<string>();
  if (!offer.tools.isEmpty) handleTools(host, offer);
  if (!offer.resources.isEmpty) handleResources(host, offer, subscriptions);
  if (!offer.prompts.isEmpty) handlePrompts(host, offer);
  if (canComplete(offer)) {
    server.setRequestHandler("completion/complete", ({ params }) => complete(params, offer));
  }
  return { server, isModern, subscriptions };
}

function capabilitiesOf(offer: Offer): ServerCapabilities {
  const { tools, resources, prompts } = offer;
  return {
    logging: {},
    ...(!tools.isEmpty && { tools: { listChanged: true } }),
    ...(!resources.isEmpty && { resources: { subscribe: true, listChanged: true } }),
    ...(!prompts.isEmpty && { prompts: { listChanged: true } }),
    ...(canComplete(offer) && { completions: {} }),
  };
}

function canComplete({ prompts, resources }: Offer): boolean {
  return prompts.canComplete || resources.canComplete;
}

function handleTools(host: RequestHost, offer: Offer): void {
  const { sdk, server } = host;
  server.setRequestHandler("tools/list", async ({ params }, ctx) => {
    const request = new ServedRequest(host, ctx, "tools/list");
    const table = await offer.tools.table(await offer.contextOf(request), request.signal);
    const { items, nextCursor } = page(sdk, listTools(table), params?.cursor);
    return { tools: items, ...(nextCursor !== undefined && { nextCursor }) };
  });
  server.setRequestHandler("tools/call", ({ params }, ctx) => callTool(params, ctx, host, offer));
}

function handleResources(host: RequestHost, { resources }: Offer, subscriptions: Set<string>): void {
  const { sdk, server } = host;
  server.setRequestHandler("resources/list", async ({ params }) => {
    const { items, nextCursor } = page(sdk, await resources.list(), params?.cursor);
    return { resources: items, ...(nextCursor !== undefined && { nextCursor }) };
  });
  server.setRequestHandler("resources/templates/list", ({ params }) => {
    const { items, nextCursor } = page(sdk, resources.templates(), params?.cursor);
    return { resourceTemplates: items, ...(nextCursor !== undefined && { nextCursor }) };
  });
  server.setRequestHandler("resources/read", async ({ params: { uri } }, ctx) => {
    const request = new ServedRequest(host, ctx, await subjectOf(host, ["resources/read", uri]));
    return request.answering(() => resources.read(uri, request));
  });
  server.setRequestHandler("resources/subscribe", ({ params: { uri } }) => {
    if (subscriptions.size >= mostSubscriptions) {
      throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidRequest, "There are too many subscriptions.");
    }
    subscriptions.add(uri);
    return {};
  });
  server.setRequestHandler("resources/unsubscribe", ({ params: { uri } }) => {
    subscriptions.delete(uri);
    return {};
  });
}

function handlePrompts(host: RequestHost, { prompts }: Offer): void {
  const { sdk, server } = host;
  server.setRequestHandler("prompts/list", ({ params }) => {
    const { items, nextCursor } = page(sdk, prompts.list(), params?.cursor);
    return { prompts: items, ...(nextCursor !== undefined && { nextCursor }) };
  });
  server.setRequestHandler("prompts/get", async ({ params: { name, arguments: args = {} } }, ctx) => {
    const request = new ServedRequest(host, ctx, await subjectOf(host, ["prompts/get", name, args]));
    return request.answering(() => prompts.get(name, args, request));
  });
}

async function complete(
  params: CompleteRequest["params"],
  { prompts, resources }: Offer,
): Promise<CompleteResult> {
  const { ref, argument, context } = params;
  const completion =
    ref.type === "ref/prompt"
      ? prompts.completion(ref.name, argument.name)
      : resources.completion(ref.uri, argument.name);
  const values = (await completion?.(argument.value, context?.arguments ?? {})) ?? [];
  return {
    completion: {
      values: values.slice(0, mostValues),
      total: values.length,
      hasMore: values.length > mostValues,
    },
  };
}

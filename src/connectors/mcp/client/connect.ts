import type { Client, ClientOptions, ConnectOptions, Transport } from "@modelcontextprotocol/client";
import { appsCapability } from "./app-tools.ts";
import { sleep } from "../../../base/util/sleep.ts";
import { mcpHost } from "./host.ts";
import { FailedProgram } from "./failed-program.ts";
import { httpTransport, mayBeOlder } from "./http.ts";
import { defaultEnvironment } from "./default-environment.ts";
import { boundLists } from "./bounded-lists.ts";
import { defaultMaxTools, mostPages, noDeadline } from "./limits.ts";
import { replaceUnknownBlocks } from "./known-blocks.ts";
import type { Sdk } from "./sdk.ts";
import type { Ending } from "./stdio-transport.ts";
import { errorReply } from "./unreadable.ts";
import { watchMessages } from "./watch-messages.ts";
import type { ConnectionSecrets } from "./secrets.ts";
import type { ServerScope } from "./scope.ts";
import type { McpClientOptions, McpCommandOptions } from "./types.ts";
import { schemaValidator } from "./validator.ts";

/** The most bytes of a message unless the options say otherwise. */
const defaultMessageBytes = 16_777_216;

/** How many milliseconds a program may be silent about the newest revision before it is taken for an older one. */
const probeTimeout = 5_000;

/** A connection that has been made. */
export interface Link {
  readonly client: Client;
  /** How the program ended and its last words, where the server is one. */
  readonly ending?: () => Ending;
  /** Sees to it that the server says when its tools change: its stream of such news may have ended. */
  watchTools(signal: AbortSignal): Promise<void>;
  /** Ends the connection, and the session on the server's side. */
  close(): Promise<void>;
}

/** What a connection reports while it lasts. */
export interface LinkEvents {
  readonly closed: () => void;
  readonly toolsChanged: () => void;
  /** What happens beside requests: messages that cannot be read, streams that break. */
  readonly error: (error: Error) => void;
}

/** What is known of a server from earlier connections. */
export interface Known {
  /** It speaks an older revision: the probe is not sent again. */
  isLegacy: boolean;
  transport: "http" | "sse" | undefined;
}

interface Attempt {
  readonly sdk: Sdk;
  readonly options: McpClientOptions;
  readonly scope: ServerScope;
  readonly events: LinkEvents;
  readonly serverFacts: Known;
  readonly secrets: ConnectionSecrets;
  readonly signal: AbortSignal;
}

/**
 * Connects to a server and agrees with it on a revision of the protocol.
 * @throws whatever the SDK, the transport or the process throws.
 */
export async function connect(attempt: Attempt): Promise<Link> {
  const { options } = attempt;
  if ("command" in options) return connectProgram(attempt, options);
  if ("transport" in options) {
    const { transport } = options;
    return open(attempt, typeof transport === "function" ? await transport() : transport);
  }
  const { sdk, serverFacts, secrets } = attempt;
  const make = (kind: "http" | "sse"): Promise<Transport> =>
    httpTransport(sdk, kind, options, maxMessageBytes(options), secrets);
  const kind = options.type ?? serverFacts.transport ?? "http";
  try {
    return await open(attempt, await make(kind), kind === "sse");
  } catch (error) {
    if (kind === "sse" || options.type !== undefined || !mayBeOlder(sdk, error)) throw error;
    const link = await open(attempt, await make("sse"), true).catch(() => undefined);
    // What the newer transport met with says more than that the older one does not work either.
    if (!link) throw error;
    serverFacts.transport = "sse";
    return link;
  }
}

/** A program that ends when asked for its revision is an old one: it is started again, without the question. */
async function connectProgram(attempt: Attempt, options: McpCommandOptions): Promise<Link> {
  const { StdioTransport } = await import("./stdio-transport.ts");
  const { command, args = [], env, cwd } = options;
  const start = async (isLegacy: boolean): Promise<Link> => {
    const child = { command, args, cwd, env: { ...defaultEnvironment(), ...env } };
    const transport = new StdioTransport(child, maxMessageBytes(options), attempt.sdk);
    try {
      return { ...(await open(attempt, transport, isLegacy)), ending: () => transport.ending };
    } catch (error) {
      throw new FailedProgram(error, transport.ending);
    }
  };
  try {
    return await start(attempt.serverFacts.isLegacy);
  } catch (error) {
    const isAsked = !attempt.serverFacts.isLegacy && (options.protocol ?? "auto") === "auto";
    const hasEnded = error instanceof FailedProgram && error.ending.how !== undefined;
    if (!isAsked || !hasEnded || attempt.signal.aborted) throw error;
    const link = await start(true);
    attempt.serverFacts.isLegacy = true;
    return link;
  }
}

async function open(
  { sdk, options, scope, events, serverFacts, secrets, signal }: Attempt,
  transport: Transport,
  isLegacy: boolean = serverFacts.isLegacy,
): Promise<Link> {
  const client = new sdk.Client(
    { name: "skein", version: "0.0.0" },
    clientOptions(options, events, isLegacy),
  );
  await serveRequests(client, options, scope);
  const limits = { items: options.maxTools ?? defaultMaxTools, length: maxMessageBytes(options) };
  boundLists(client, limits, (method) =>
    scope.warn(`The MCP server "${scope.server}" has more in ${method} than is read: the list ends early.`),
  );
  watchMessages(transport, (message) => secrets.hideIn(message));
  client.onclose = events.closed;
  client.onerror = events.error;
  const connectOptions: ConnectOptions = { signal, timeout: noDeadline };
  const stop = (): void => void transport.close();
  signal.addEventListener("abort", stop, { once: true });
  try {
    signal.throwIfAborted();
    await client.connect(transport, connectOptions);
  } catch (error) {
    await transport.close().catch(() => undefined);
    throw signal.aborted ? signal.reason : error;
  } finally {
    signal.removeEventListener("abort", stop);
  }
  answerLast(transport);
  let subscription = client.autoOpenedSubscription;
  const watch = async (): Promise<void> => {
    const how = await subscription?.closed;
    subscription = undefined;
    // The server does not report changes from here on: the tools are listed again at the next turn.
    if (how === "remote" || how === "graceful") events.toolsChanged();
  };
  void watch();
  if (client.getProtocolEra() === "legacy") serverFacts.isLegacy = true;
  return {
    client,
    close: () => closeClient(sdk, client),
    async watchTools(signal) {
      const isTold = client.getServerCapabilities()?.tools?.listChanged === true;
      if (subscription || !isTold || client.getProtocolEra() !== "modern") return;
      subscription = await client.listen({ toolsListChanged: true }, { signal, timeout: noDeadline });
      void watch();
    },
  };
}

/**
 * The SDK takes answers at once and notifications a little later, so that progress which comes right before the answer
 * would find nobody waiting for it.
 */
function answerLast(transport: Transport): void {
  const take = transport.onmessage?.bind(transport);
  if (!take) return;
  transport.onmessage = (message, extra) => {
    if ("method" in message) return take(message, extra);
    const problem = "result" in message ? replaceUnknownBlocks(message) : undefined;
    const answer =
      problem === undefined || message.id === undefined ? message : errorReply(message.id, problem);
    queueMicrotask(() => queueMicrotask(() => take(answer, extra)));
  };
}

/** The revisions to agree on, and what the server may ask of us. */
function clientOptions(options: McpClientOptions, events: LinkEvents, isLegacy: boolean): ClientOptions {
  const { protocol = "auto", roots, sampling, elicitation = mcpHost().elicit } = options;
  // Revisions before 2026-07-28 are agreed on by the handshake, and cannot be requested in another way.
  const isOld = protocol === "legacy" || /^202[0-5]-/.test(protocol);
  const mode = isLegacy || isOld ? "legacy" : protocol === "auto" ? "auto" : { pin: protocol };
  return {
    jsonSchemaValidator: schemaValidator,
    listMaxPages: mostPages,
    ...(isOld && protocol !== "legacy" && { supportedProtocolVersions: [protocol] }),
    versionNegotiation: { mode, ...("command" in options && { probe: { timeoutMs: probeTimeout } }) },
    capabilities: {
      ...(options.apps !== false && { extensions: appsCapability }),
      ...(roots && { roots: {} }),
      ...(sampling && { sampling: {} }),
      ...(elicitation && { elicitation: { form: {}, url: {} } }),
    },
    listChanged: {
      tools: { autoRefresh: false, debounceMs: 0, onChanged: () => events.toolsChanged() },
    },
  };
}

/** Answers what the server asks of us, as far as the options allow. */
async function serveRequests(client: Client, options: McpClientOptions, scope: ServerScope): Promise<void> {
  const { roots, sampling, elicitation = mcpHost().elicit } = options;
  if (roots) (await import("./roots.ts")).serveRoots(client, roots);
  if (sampling) (await import("./sampling.ts")).serveSampling(client, sampling, scope);
  if (elicitation) (await import("./elicitation.ts")).serveElicitation(client, elicitation, scope);
}

/** Milliseconds that a server may take to end a session: its answer is not needed. */
const grace = 2_000;

async function closeClient(sdk: Sdk, client: Client): Promise<void> {
  const { transport } = client;
  // A courtesy to the server, which may have forgotten the session or be gone.
  if (transport instanceof sdk.StreamableHTTPClientTransport && transport.sessionId !== undefined) {
    const waiting = new AbortController();
    const goodbye = transport.terminateSession().catch(() => undefined);
    await Promise.race([goodbye, sleep(grace, waiting.signal).catch(() => undefined)]);
    waiting.abort();
  }
  await client.close();
}

function maxMessageBytes(options: McpClientOptions): number {
  return options.maxMessageBytes ?? defaultMessageBytes;
}

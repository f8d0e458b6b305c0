import type { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { createServer, type ConnectedServer } from "./create-server.ts";
import { SessionEvents } from "./event-store.ts";
import type { Offer } from "./offer.ts";
import type { Sdk } from "./sdk.ts";

/** Milliseconds after which a client whose stream was cut should reconnect. */
const retryInterval = 1_000;

/** One client of revision 2025-11-25 or older. */
interface Session extends ConnectedServer {
  readonly transport: WebStandardStreamableHTTPServerTransport;
}

/** The sessions of one address. */
export class Sessions {
  readonly #sdk: Sdk;
  readonly #offer: Offer;
  readonly #limits: { readonly maxSessions: number; readonly maxBodyBytes: number };
  /** Those that were used last come last. */
  readonly #sessions = new Map<string, Session>();

  constructor(
    sdk: Sdk,
    offer: Offer,
    limits: { readonly maxSessions: number; readonly maxBodyBytes: number },
  ) {
    this.#sdk = sdk;
    this.#offer = offer;
    this.#limits = limits;
  }

  get servers(): readonly ConnectedServer[] {
    return [...this.#sessions.values()];
  }

  /** Answers a request, in the session that it names or, if it opens one, in a new one. */
  async fetch(request: Request): Promise<Response> {
    const id = request.headers.get("mcp-session-id");
    if (id === null) return this.#open(request);
    const session = this.#sessions.get(id);
    if (!session) return refusal(404, -32_001, "Session not found");
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    return session.transport.handleRequest(request);
  }

  async close(): Promise<void> {
    const sessions = this.servers;
    this.#sessions.clear();
    await Promise.all(sessions.map(({ server }) => server.close()));
  }

  async #open(request: Request): Promise<Response> {
    const connected = createServer(this.#sdk, this.#offer, { isModern: false });
    const { server } = connected;
    const transport = new this.#sdk.WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      eventStore: new SessionEvents(),
      retryInterval,
      maxRequestBodySize: this.#limits.maxBodyBytes,
      onsessioninitialized: (id) => this.#keep(id, { ...connected, transport }),
      onsessionclosed: (id) => void this.#sessions.delete(id),
    });
    await server.connect(transport);
    const response = await transport.handleRequest(request);
    // Whatever did not begin with `initialize` has opened nothing.
    if (transport.sessionId === undefined) await server.close();
    return response;
  }

  async #keep(id: string, session: Session): Promise<void> {
    this.#sessions.set(id, session);
    const [oldest] = this.#sessions;
    if (this.#sessions.size <= this.#limits.maxSessions || !oldest) return;
    this.#sessions.delete(oldest[0]);
    await oldest[1].server.close();
  }
}

/** A JSON-RPC error that answers no request in particular. */
export function refusal(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status });
}

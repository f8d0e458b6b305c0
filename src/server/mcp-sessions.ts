import { setRequestCaller } from "../base/util/request-caller.ts";
import type { McpCalls } from "./mcp-calls.ts";
import { notFound, Refusal } from "./refusal.ts";
import { SharedCache } from "./shared-cache.ts";
import type { Authorized, ServeOptions } from "./types.ts";

/** How many sessions there are over all users: less than an MCP handler has by default, which would end those of others. */
const mostSessions = 900;

const header = "mcp-session-id";

/** Passes requests on to an MCP handler: a session belongs to the user who has opened it. */
export class McpSessions {
  readonly #handler: NonNullable<ServeOptions["mcp"]>;
  readonly #calls: McpCalls;
  /** The address of each session. */
  readonly #sessions: SharedCache<string>;

  constructor(handler: NonNullable<ServeOptions["mcp"]>, calls: McpCalls) {
    this.#calls = calls;
    this.#handler = handler;
    this.#sessions = new SharedCache({ entries: mostSessions, size: mostSessions }, (session, url) =>
      this.#end(session, url),
    );
  }

  /** @throws Refusal (403, 404) */
  async answer(request: Request, { user, agents, context, decide = true }: Authorized): Promise<Response> {
    // What the handler offers is the same for all.
    if (agents) throw new Refusal(403, "forbidden", "MCP is for users who may use all agents.");
    const session = request.headers.get(header);
    // The protocol has clients open another one.
    if (session !== null && this.#sessions.get(user, session) === undefined) throw notFound("The session");
    setRequestCaller(request, { context, decide, begin: (signal) => this.#calls.begin(user, signal) });
    const response = await this.#handler.fetch(request);
    const opened = response.headers.get(header);
    if (opened !== null && session === null) this.#sessions.set(user, opened, request.url);
    return response;
  }

  #end(session: string, url: string): void {
    const request = new Request(url, { method: "DELETE", headers: { [header]: session } });
    // A handler that does not end it has limits of its own.
    this.#handler.fetch(request).catch(() => {});
  }
}

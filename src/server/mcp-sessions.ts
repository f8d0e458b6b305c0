import { Lru } from "../base/util/lru.ts";
import { notFound, Refusal } from "./refusal.ts";
import type { Authorized, ServeOptions } from "./types.ts";

/** How many sessions are remembered, with their users. */
const mostSessions = 10_000;

const header = "mcp-session-id";

/** Passes requests on to an MCP handler: a session belongs to the user who has opened it. */
export class McpSessions {
  readonly #handler: NonNullable<ServeOptions["mcp"]>;
  readonly #users = new Lru<string>(mostSessions, mostSessions);

  constructor(handler: NonNullable<ServeOptions["mcp"]>) {
    this.#handler = handler;
  }

  /** @throws Refusal (403, 404) */
  async answer(request: Request, { user, agents }: Authorized): Promise<Response> {
    // What the handler offers is the same for all.
    if (agents) throw new Refusal(403, "forbidden", "MCP is for users who may use all agents.");
    const session = request.headers.get(header);
    // The protocol has clients open another one.
    if (session !== null && this.#users.get(session) !== user) throw notFound("The session");
    const response = await this.#handler.fetch(request);
    const opened = response.headers.get(header);
    if (opened !== null && session === null) this.#users.set(opened, user, 1);
    return response;
  }
}

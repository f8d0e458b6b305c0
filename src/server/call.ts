import type { AnyAgent } from "../agent/agent.ts";
import type { SseOptions } from "../base/stream/sse-response.ts";
import type { ShowOptions } from "../run/public/show.ts";
import type { StoredEvent } from "../durable/stored-event.ts";
import type { IncomingRequest } from "./incoming.ts";
import { readJson, readOptionalJson } from "./body.ts";
import type { McpCalls } from "./mcp-calls.ts";
import type { PlainRuns } from "./plain-runs.ts";
import type { Conversations } from "./conversation.ts";
import type { Followed, Turn } from "./turn.ts";
import { assertSame, digestOf } from "./received.ts";
import { Refusal } from "./refusal.ts";
import type { Authorized, FetchContext, ServeOptions } from "./types.ts";
import { type RunsOfAll, type UserRun, UserRuns, type UserStart } from "./user-runs.ts";
import type { StoredRun } from "../durable/stored-run.ts";

/** What a client whose body is too large reads to pass on. */
const largerBodies = "The option maxBodyBytes of serve() allows more.";

/** What all requests of a server share. */
export interface ServerContext {
  readonly options: ServeOptions;
  /** By the names that clients use. */
  readonly agents: ReadonlyMap<string, AnyAgent>;
  readonly all: RunsOfAll;
  readonly conversations: Conversations;
  readonly plainRuns: PlainRuns;
  readonly mcpCalls: McpCalls;
  readonly maxBodyBytes: number;
  readonly report: (error: unknown, about: { readonly runId?: string; readonly request?: Request }) => void;
}

/** A request that may go on, and its route. */
export interface Admitted {
  readonly request: IncomingRequest;
  /** What the path has in the place of `:name`. */
  readonly params: Readonly<Record<string, string>>;
  readonly authorized: Authorized;
  /** Keeps the platform from ending work behind the answer. */
  readonly waitUntil: FetchContext["waitUntil"];
}

/** What a route has read that goes on with a conversation, and what of that must be the same where its id comes again. */
type SentTurn = Omit<Turn, "context" | "model" | "contents"> & { readonly contents: unknown };

/** What a route has read that starts a run. */
type SentStart = Omit<UserStart, "context" | "model" | "session" | "metadata"> & {
  readonly contents: unknown;
};

/** A request that was let in, on its way through a route. */
export class Call {
  readonly request: IncomingRequest;
  /** What the path has in the place of `:name`. */
  readonly params: Readonly<Record<string, string>>;
  readonly authorized: Authorized;
  readonly server: ServerContext;
  readonly runs: UserRuns;
  readonly #left = new AbortController();
  #departure: AbortSignal | undefined;

  constructor(server: ServerContext, { request, params, authorized, waitUntil }: Admitted) {
    this.server = server;
    this.request = request;
    this.params = params;
    this.authorized = authorized;
    const names = authorized.agents && [...this.agents.values()].map(({ name }) => name);
    this.runs = new UserRuns(server.all, {
      user: authorized.user,
      ...(names && { agents: names }),
      decide: authorized.decide,
      ...(waitUntil && { waitUntil }),
    });
  }

  /** What clients see of runs. */
  get show(): ShowOptions {
    return this.server.options.show ?? {};
  }

  /** The address of the request. */
  get url(): URL {
    return this.request.url;
  }

  /** How streams are sent. */
  get streaming(): Pick<SseOptions, "keepAlive"> {
    const { keepAlive } = this.server.options;
    return keepAlive === undefined ? {} : { keepAlive };
  }

  /** The agents that the user may use, by the names that clients use. */
  get agents(): ReadonlyMap<string, AnyAgent> {
    const { agents } = this.authorized;
    if (!agents) return this.server.agents;
    return new Map([...this.server.agents].filter(([name]) => agents.includes(name)));
  }

  /**
   * The agent that a client means: by the name that it is served under, else by its own.
   * @param what - What the protocol calls it.
   * @param code - That of the refusal.
   * @throws Refusal (404) that lists the names there are.
   */
  agent(name: string, what = "agent", code = "not-found"): AnyAgent {
    const { agents } = this;
    const isServed = this.server.agents.has(name);
    const agent = isServed ? agents.get(name) : [...agents.values()].find((each) => each.name === name);
    if (agent) return agent;
    const names = [...agents.keys()].join(", ") || "none";
    throw new Refusal(404, code, `The ${what} "${name.slice(0, 100)}" was not found. There are: ${names}.`);
  }

  /** A run of the user. @throws Refusal (404) */
  async run(id: string): Promise<{ readonly run: UserRun; readonly stored: StoredRun }> {
    const alias = this.server.conversations.runOf(this.authorized.user, id);
    const match =
      (await this.runs.find(id)) ?? (alias === undefined ? undefined : await this.runs.find(alias));
    // Another process may have learned what the client calls it.
    return match ?? (await this.runs.findByClientId(id)) ?? this.runs.get(id);
  }

  /** The body as JSON. @throws Refusal (400, 408, 413, 415) */
  json(): Promise<unknown> {
    return readJson(this.request, this.server.maxBodyBytes, largerBodies);
  }

  /** The body as JSON; `{}` if there is none. */
  optionalJson(): Promise<unknown> {
    return readOptionalJson(this.request, this.server.maxBodyBytes, largerBodies);
  }

  /**
   * Has a conversation of the user go on.
   * @param turn - `contents`: what must be the same where its id comes again.
   */
  async send({ contents, ...turn }: SentTurn): Promise<Followed> {
    const isNamed = turn.id !== undefined || turn.resume !== undefined;
    return this.server.conversations.send(this.runs, {
      ...turn,
      ...this.#ofUser(),
      ...(isNamed && { contents: await digestOf(contents) }),
    });
  }

  /** Starts a run of the user that is a conversation by itself. */
  async start({ contents, ...start }: SentStart): Promise<Followed> {
    const named = start.id === undefined ? {} : { metadata: { contents: await digestOf(contents) } };
    const run = await this.runs.start({ ...start, ...named, ...this.#ofUser() });
    if (!run.isNew) {
      const { stored } = await this.runs.get(run.id);
      assertSame(stored.data.request.metadata?.["contents"], named.metadata?.contents);
    }
    return { run, after: -1, isContinued: false, pending: [] };
  }

  /** What the server has said that the user's runs have. */
  #ofUser(): Pick<UserStart, "context" | "model"> {
    const { context, model } = this.authorized;
    return { ...(context !== undefined && { context }), ...(model !== undefined && { model }) };
  }

  /** Aborted once nothing more is to be read for this request: the request of a client that is gone is, whatever kind of answer it waits for. */
  get departure(): AbortSignal {
    return (this.#departure ??= AbortSignal.any([this.#left.signal, this.request.signal]));
  }

  /** Has nothing more be read for this request. */
  leave(): void {
    this.#left.abort();
  }

  /**
   * The events of a run behind an index, until it stops; reading ends once the client is gone.
   * @returns the events, and what to call when the client leaves.
   */
  follow({ run, after }: Pick<Followed, "run" | "after">): {
    readonly events: AsyncIterable<StoredEvent>;
    readonly onCancel: () => void;
  } {
    return {
      events: run.handle.events({ after, signal: this.departure }),
      onCancel: () => this.leave(),
    };
  }
}

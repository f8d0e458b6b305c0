import type { AnyAgent } from "../agent/agent.ts";
import type { DurableStore } from "../durable/store.ts";
import type { DurableRunOptions, Runs } from "../durable/types.ts";
import type { ShowOptions } from "../run/public/show.ts";

/** The agents of a server: one, a list, or a record whose keys clients call them by. Their own names do as well, where no other has that as its key. */
export type ServedAgents = AnyAgent | readonly AnyAgent[] | Readonly<Record<string, AnyAgent>>;

/**
 * What clients can speak. `native` is that of `skein/client`, `chat-completions` and `responses` are OpenAI's, `ui-messages` is that of the AI SDK's
 * `useChat`.
 */
export type ServedProtocol = "native" | "chat-completions" | "responses" | "ui-messages" | "ag-ui" | "a2a";

/** Who sends a request, and what they may do. */
export interface Authorized {
  /** Names the user: runs and conversations are theirs alone. 1 to 80 characters; not a secret. */
  readonly user: string;
  /** The context of the runs that they start, as plain JSON. */
  readonly context?: unknown;
  /** The model of the runs that they start, by its name, such as `"openai:gpt-5.2"`: used instead of every agent's own. */
  readonly model?: string;
  /** The agents that they may use; all by default. */
  readonly agents?: readonly string[];
  /**
   * Whether they may approve or deny calls of their own runs; `true` by default. With `false` every such decision is refused (403, `may-not-decide`),
   * whatever the protocol: staff decide, by a program of yours: `runs({ agents, store })`. Results of the user's own tools are taken all the same.
   */
  readonly decide?: boolean;
}

/** What has pages that show calls: `mcp()` of `skein/mcp` returns one. */
export interface AppSource {
  /** As `ui.server` of events has it. */
  readonly name: string;
  /** As `ui.serverId` of events has it: calls of another server of the same name do not lead to its pages. */
  readonly serverId?: string;
  /** Reads a page by its `resourceUri`. */
  readonly readApp: (resourceUri: string, signal?: AbortSignal) => Promise<AppPage>;
}

/** A page that shows calls, and what it may do. */
export interface AppPage {
  readonly html: string;
  /** The rules that hold for it, as the header of that name has them. */
  readonly contentSecurityPolicy: string;
  /** Such as `"camera"`. */
  readonly permissions: readonly string[];
  /** Whether it would like a border around it. */
  readonly prefersBorder?: boolean;
}

/** What `authorize` returns: who it is, or how to refuse. */
export type Authorization = Authorized | Response | 401 | 403;

/** How much one user may ask for. */
export interface UserLimits {
  /** Runs that have not stopped, at once; 20 by default. */
  readonly runs?: number;
  /** 300 by default. */
  readonly requestsPerMinute?: number;
}

/** How to serve agents. Durations are milliseconds. */
export interface ServeOptions {
  /** Where runs and conversations are kept, such as `sqliteStore("runs.db")`; in memory by default: what runs is lost with the process. */
  readonly store?: DurableStore;
  /**
   * Called with every request but those of `/health` and `/ready`: who is it? `401` or `403` refuses. Without it the server is for this machine
   * alone, and everybody on it is one user.
   */
  readonly authorize?: (request: Request) => Authorization | Promise<Authorization>;
  /** Origins of web pages that may call the server beside its own, such as `"https://shop.example"`; none by default. */
  readonly cors?: readonly string[];
  /** Host names (without a port) that requests may name; those of this machine by default. They need `authorize`. */
  readonly allowedHosts?: readonly string[];
  /** What clients can speak; all but `a2a` by default, which needs a package of its own: `npm install @a2a-js/sdk`. */
  readonly protocols?: readonly ServedProtocol[];
  /** Answers requests to `/mcp`: what `mcpHandler()` of `skein/mcp` returns. */
  readonly mcp?: {
    /** Answers a request. */
    readonly fetch: (request: Request) => Promise<Response>;
  };
  /**
   * MCP servers whose pages (MCP Apps) clients may read: those that `mcp()` returns, by the names that events of calls have. None by default:
   * then clients see that a call has a page, and cannot read it.
   */
  readonly apps?: readonly AppSource[];
  /** What of a run clients see. */
  readonly show?: ShowOptions;
  /**
   * What happens to a message while a run of its conversation works: `"reject"` (the default) answers 409, `"wait"` starts a run once the
   * other has ended, `"steer"` passes it on to the one that works.
   */
  readonly busy?: "reject" | "wait" | "steer";
  /**
   * The path that the server is mounted at, such as `"/api/ai"`, where the framework leaves it in the address, as Next.js does. Agent cards of A2A name it,
   * so it is needed for them as well where a framework or a proxy takes it away without a word, as Hono's `mount` does. Express says it itself.
   */
  readonly basePath?: string;
  /** The longest body of a request in bytes; 4,194,304 by default. */
  readonly maxBodyBytes?: number;
  /** Runs that are executed at once; 100 by default. More than that wait. */
  readonly maxRuns?: number;
  readonly perUser?: UserLimits;
  /** After how long without an event a comment is sent, so that proxies keep the connection; 15,000 by default. */
  readonly keepAlive?: number;
  /** `false` leaves the execution of runs to workers of the same store: `runs({ agents, store }).work()`. */
  readonly work?: boolean;
  /** After how long a call that nobody has decided on is denied; never by default. */
  readonly approvalTimeout?: number;
  /** What all runs are executed with: `model`, `maxTurns`, `maxCost`, `middleware` and the like. */
  readonly runOptions?: DurableRunOptions;
  /** Called with what went wrong, which clients only learn the code of; printed as a warning by default. */
  readonly onError?: (error: unknown, about: { readonly runId?: string; readonly request?: Request }) => void;
}

/** Where a server listens. */
export interface ListenOptions {
  /** `3000` by default, `0` for a free one. */
  readonly port?: number;
  /** `"127.0.0.1"` by default: nobody else on the network can reach it. Any other needs `authorize`. */
  readonly host?: string;
}

/** A server that listens. */
export interface Listening {
  /** Such as `"http://127.0.0.1:3000"`. */
  readonly url: string;
  readonly port: number;
  /** Fulfilled once it has closed. */
  readonly closed: Promise<void>;
}

/** What a platform passes with a request. */
export interface FetchContext {
  /** Keeps the platform from ending the work of a request that has been answered. */
  waitUntil?(work: Promise<unknown>): void;
}

/** Agents behind HTTP, for every framework. */
export interface SkeinServer {
  /** Answers a request: Hono's `mount`, Bun, Deno, Workers, Next.js. */
  readonly fetch: (request: Request, ...platform: readonly unknown[]) => Promise<Response>;
  /** As `fetch`, for route handlers that are exported by method. */
  readonly GET: (request: Request) => Promise<Response>;
  /** As `fetch`, for route handlers that are exported by method. */
  readonly POST: (request: Request) => Promise<Response>;
  /** As `fetch`, for route handlers that are exported by method. */
  readonly DELETE: (request: Request) => Promise<Response>;
  /** As `fetch`, for route handlers that are exported by method. */
  readonly OPTIONS: (request: Request) => Promise<Response>;
  /** Answers a request of `node:http`: Express, Fastify, plain Node. */
  readonly node: (request: NodeRequest, response: NodeResponse) => void;
  /**
   * Listens by `node:http`.
   * @throws ConfigurationError (`listen`) if the port is taken, or the host is open to the network without `authorize`.
   */
  listen(options?: ListenOptions): Promise<Listening>;
  /**
   * Takes no more requests, waits for the runs under way, and closes the store.
   * @param options - `drain`: for how long to wait, in milliseconds; 10,000 by default. What is not done goes on where the store is opened next.
   */
  close(options?: { readonly drain?: number }): Promise<void>;
  /** The runs behind it, of all users: their ids begin with the user. */
  readonly runs: Runs;
}

/** What the server needs of `IncomingMessage` of `node:http`. */
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  /** Of Express: the address before a mounted path was taken from it. */
  readonly originalUrl?: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly socket?: unknown;
}

/** What the server needs of `ServerResponse` of `node:http`. */
export interface NodeResponse {
  /** Sets status and headers. */
  writeHead(status: number, headers: Readonly<Record<string, string | string[]>>): unknown;
  /** Sends the headers before the body. */
  flushHeaders?(): void;
  /** Sends a piece of the body; `false` if the client reads more slowly. */
  write(chunk: Uint8Array | string): boolean;
  /** Ends the body. */
  end(chunk?: Uint8Array | string): unknown;
  /** Ends the connection. */
  destroy(error?: Error): unknown;
  /** Listens once: `drain`, the client has read on; `close`, the connection is over. */
  once(event: "drain" | "close", listener: () => void): unknown;
  /** Ends that. */
  off(event: "drain" | "close", listener: () => void): unknown;
  readonly destroyed: boolean;
  readonly headersSent: boolean;
}

import type { ElicitationHandler, SamplingOptions } from "./questions.ts";
import type { TrustOptions } from "../trust/types.ts";
import type { McpAuth, McpAuthProvider, McpOAuthProvider } from "../auth/types.ts";
import type { McpTransport } from "../transport.ts";

/** Folders and files, as paths or as `file:` addresses, or a function that names them when the server asks. */
export type RootsOptions = readonly string[] | (() => readonly string[] | Promise<readonly string[]>);

/** The options of every connection to a server, however it is reached. Durations are milliseconds. */
export interface McpCommonOptions extends TrustOptions {
  /** Stands in front of a tool's name where that is taken, and in messages; by default made of the command or address. */
  readonly name?: string;
  /** Whether a run fails without the server. By default it goes on without its tools, and warns. */
  readonly required?: boolean;
  /** How long the server may take to start and to answer the handshake; 60,000 by default. */
  readonly connectTimeout?: number;
  /** How long a call may take; 60,000 by default. */
  readonly timeout?: number;
  /** Requests to the server at once; 8 by default. The others wait. */
  readonly concurrency?: number;
  /** The most tools that are taken of the server; 1,000 by default. */
  readonly maxTools?: number;
  /** The most characters of a result, images and files counted as a 32nd; 100,000 by default. The rest is cut, visibly. */
  readonly maxResultChars?: number;
  /**
   * The most bytes of one message of the server; 16 MiB by default. A longer one is an error of the call it answers, as is one with more than a bracket,
   * comma or colon for each 64 of these bytes: what is made of values costs many times their bytes.
   */
  readonly maxMessageBytes?: number;
  /** Offers the model the tools `list_resources` and `read_resource`, where the server has resources. */
  readonly resourceTools?: boolean;
  /**
   * Whether pages of the server (MCP Apps) can show calls of its tools; `true` by default. With `false` the server learns that they are not shown, and
   * events name none.
   */
  readonly apps?: boolean;
  /**
   * The revision of the protocol: `"auto"` (the default) asks for the newest and falls back to the handshake of 2025,
   * `"legacy"` does only that, and a date such as `"2025-11-25"` insists on that revision.
   */
  readonly protocol?: "auto" | "legacy" | (string & {});
  /** Folders and files that are listed to the server as roots. */
  readonly roots?: RootsOptions;
  /** Lets the server ask a model, each time with somebody's consent. Off by default. */
  readonly sampling?: SamplingOptions;
  /** Asks the user what the server wants to know. By default the function of `setMcpHost`; without one, every question is declined. */
  readonly elicitation?: ElicitationHandler;
}

/** A server that is a program of this machine, spoken to over its standard input and output. */
export interface McpCommandOptions extends McpCommonOptions {
  readonly command: string;
  readonly args?: readonly string[];
  /** Its environment beside the few harmless variables that every server gets (PATH, HOME and the like): nothing else is passed on. */
  readonly env?: Readonly<Record<string, string>>;
  /** Its working directory; this process's by default. */
  readonly cwd?: string;
}

/** A server at an address: streamable HTTP, or the older server-sent events where it does not know that. */
export interface McpUrlOptions extends McpCommonOptions {
  readonly url: string | URL;
  readonly headers?: Readonly<Record<string, string>>;
  /** How the server knows who is asking: a token, OAuth in one of two ways, or a provider of the official SDK. */
  readonly auth?: McpAuth | McpAuthProvider | McpOAuthProvider;
  /** `"http"` or `"sse"` to try only that one. */
  readonly type?: "http" | "sse";
  /** Instead of the global `fetch`. */
  readonly fetch?: (url: string | URL, init?: RequestInit) => Promise<Response>;
}

/** A server behind a transport of the official SDK: in memory, say. A function makes one for each connection. */
export interface McpTransportOptions extends McpCommonOptions {
  /** How it is reached. */
  readonly transport: McpTransport | (() => McpTransport | Promise<McpTransport>);
}

/** How a server is reached, and what it is held to. */
export type McpClientOptions = McpCommandOptions | McpUrlOptions | McpTransportOptions;

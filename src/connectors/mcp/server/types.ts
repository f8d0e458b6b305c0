import type { AnyAgent } from "../../../agent/agent.ts";
import type { Part } from "../../../message/parts.ts";
import type { Model } from "../../../model/types.ts";
import type { ToolSources } from "../../../tool/types.ts";
import type { JsonSchema } from "../../../schema/types.ts";
import type { McpTransport } from "../transport.ts";

/** What a server offers. */
export interface McpServerDefinition {
  /** Plain functions, `tool(...)`, `toolkit(...)` and toolsets, as an agent lists them. */
  readonly tools?: ToolSources;
  /** Each becomes a tool of its name that takes `input`, runs the agent to its end and returns its text. */
  readonly agents?: readonly AnyAgent[];
  readonly resources?: readonly McpResource[];
  readonly prompts?: readonly McpPrompt[];
  /** The server's name as clients see it; `"skein"` by default. */
  readonly name?: string;
  /** `"0.0.0"` by default. */
  readonly version?: string;
  /** Describes the server as a whole; clients may pass it to their models. */
  readonly instructions?: string;
  /**
   * The application's data for tools (`ToolContext.context`): one value for all requests, or made for each. Where the handler is mounted in
   * `serve()`, the `context` that `authorize` returns takes the place of one value for all.
   */
  readonly context?: Readonly<Record<string, unknown>> | ((request: McpRequest) => unknown);
  /** What agents speak with that have no model of their own. */
  readonly model?: Model | string;
  /**
   * What becomes of calls of tools with `approval`: `"ask"`, the default, has the client ask its user, and refuses where it
   * cannot; `"allow"` makes them.
   */
  readonly approvals?: "ask" | "allow";
  /**
   * What answers are signed with that a client keeps between two halves of a request (revision 2026-07-28): at least 32
   * characters, the same for all processes that serve one address. Random by default.
   */
  readonly stateSecret?: string;
  /**
   * Notes that a client's answer is used, for `milliseconds` at least, and returns whether it is the first use in all processes that share
   * the `stateSecret`: nothing is called without `true`. By default each process knows of its own uses alone.
   */
  readonly claimState?: (id: string, milliseconds: number) => boolean | Promise<boolean>;
  /** Called with what goes wrong outside any request, and with what toolsets warn of. What it throws is printed. */
  readonly onError?: (error: Error) => void;
}

/** How a server is reached over HTTP. */
export interface McpServeHttpOptions {
  /** `0` for a free one. */
  readonly port: number;
  /** `"127.0.0.1"` by default: nobody else on the network can reach it. */
  readonly host?: string;
  /** Where it answers; `"/mcp"` by default. */
  readonly path?: string;
  /** Host names (without a port) that requests may name; by default those of this machine alone. */
  readonly allowedHosts?: readonly string[];
  /** Host names of web pages that may send requests; by default those of this machine alone. */
  readonly allowedOrigins?: readonly string[];
}

/** The limits of a fetch handler. */
export interface McpHandlerOptions {
  /** Host names (without a port) that requests may name; by default those of this machine alone. */
  readonly allowedHosts?: readonly string[];
  /** Host names of web pages that may send requests; by default those of this machine alone. */
  readonly allowedOrigins?: readonly string[];
  /** The most sessions at once (revision 2025-11-25); 1,000 by default. The one that was not used for longest ends first. */
  readonly maxSessions?: number;
  /** The longest body of a request in bytes; 4,194,304 by default. */
  readonly maxBodyBytes?: number;
}

/** Where a server is served. */
export interface McpServeOptions {
  readonly transport: "stdio" | { readonly http: McpServeHttpOptions } | McpTransport;
}

/** Tells clients that something has changed. */
export interface McpNotifier {
  /** Tools came or went: toolsets and registries are read again for each list. */
  toolsChanged(): void;
  /** Prompts came or went. */
  promptsChanged(): void;
  /** Resources came or went. */
  resourcesChanged(): void;
  /** Tells those that subscribed to the resource. */
  resourceUpdated(uri: string): void;
}

/** A server that is running. */
export interface McpServing extends McpNotifier {
  /** Where it answers, if over HTTP. */
  readonly url?: string;
  /** Settled once the connection has ended: over stdio when the client leaves, else after `close()`. */
  readonly closed: Promise<void>;
  /** Ends every session and aborts what is under way. */
  close(): Promise<void>;
}

/** A server as a fetch handler, to be mounted in another one. */
export interface McpHandler extends McpNotifier {
  /** Answers a request; bound, so that it can be passed on alone. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Ends every session and aborts what is under way. */
  close(): Promise<void>;
}

/** What a resource is read as: text, bytes, or several contents. */
export type McpResourceContent =
  | string
  | Uint8Array
  | readonly {
      readonly uri?: string;
      readonly mimeType?: string;
      readonly content: string | Uint8Array;
    }[];

/** Something that clients can read, or a kind of such things. */
export interface McpResource {
  /** An address such as `notes://today`, or a template of RFC 6570 such as `notes://{day}`. */
  readonly uri: string;
  /** The address by default. */
  readonly name?: string;
  readonly title?: string;
  readonly description?: string;
  /** Such as `"text/markdown"`; `"text/html;profile=mcp-app"` by default for the page of an app, whose address begins with `ui://`. */
  readonly mimeType?: string;
  /** How clients are to show the page of an app. */
  readonly ui?: McpAppSettings;
  /** The addresses that a template stands for, where they can be listed. */
  readonly list?: () => readonly McpResourceEntry[] | Promise<readonly McpResourceEntry[]>;
  /** Values of a template's variables that begin as typed. */
  readonly complete?: Readonly<Record<string, McpCompletion>>;
  /** Reads it. `variables` are those of the template, each checked by nobody yet. */
  readonly read: (
    variables: Readonly<Record<string, string>>,
    request: McpRequest,
  ) => McpResourceContent | Promise<McpResourceContent>;
}

/** How clients are to show the page of an app (MCP Apps): what is left out is not allowed to it. */
export interface McpAppSettings {
  /** Of the network, it may use these origins, such as `"https://cdn.example.com"`. */
  readonly csp?: {
    /** For `fetch` and web sockets. */
    readonly connectDomains?: readonly string[];
    /** For scripts, styles, images, fonts and media. */
    readonly resourceDomains?: readonly string[];
    /** For frames within it. */
    readonly frameDomains?: readonly string[];
    /** For its `<base>`. */
    readonly baseUriDomains?: readonly string[];
  };
  /** What it would like to use: `{ camera: {} }`, for example. Clients may say no. */
  readonly permissions?: Readonly<
    Partial<
      Record<"camera" | "microphone" | "geolocation" | "clipboardWrite", Readonly<Record<string, never>>>
    >
  >;
  /** Whether it wants a border around it. */
  readonly prefersBorder?: boolean;
}

/** One of the things that a template stands for. */
export interface McpResourceEntry {
  readonly uri: string;
  readonly name?: string;
  readonly description?: string;
  readonly mimeType?: string;
}

/** Completes `value`; `args` are the other arguments so far. The first hundred results count. */
export type McpCompletion = (
  value: string,
  args: Readonly<Record<string, string>>,
) => readonly string[] | Promise<readonly string[]>;

/** A prompt that users choose. */
export interface McpPrompt {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments?: readonly McpPromptArgument[];
  /** Returns a user's text, or messages. Required arguments are there. */
  readonly get: (
    args: Readonly<Record<string, string>>,
    request: McpRequest,
  ) => McpPromptContent | Promise<McpPromptContent>;
}

/** One argument of a prompt. */
export interface McpPromptArgument {
  readonly name: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly complete?: McpCompletion;
}

/** What a prompt says. */
export type McpPromptContent = string | readonly McpPromptMessage[];

/** One message of a prompt. */
export interface McpPromptMessage {
  readonly role: "user" | "assistant";
  readonly content: string | readonly Part[];
}

/** How grave a line of a log is (RFC 5424). */
export type McpLogLevel =
  | "debug"
  | "info"
  | "notice"
  | "warning"
  | "error"
  | "critical"
  | "alert"
  | "emergency";

/** A question to the user of a client. */
export interface McpElicitation {
  readonly message: string;
  /** A JSON Schema of an object whose properties are texts, numbers, booleans and choices. */
  readonly schema: JsonSchema;
}

/** What a user answered; `content` is there if it was accepted, and fits the schema. */
export interface McpElicitationAnswer {
  readonly action: "accept" | "decline" | "cancel";
  readonly content?: Readonly<Record<string, unknown>>;
}

/** A question to the model of a client. */
export interface McpSampling {
  /** A user's text, or a conversation. */
  readonly messages: string | readonly McpPromptMessage[];
  readonly maxTokens: number;
  readonly systemPrompt?: string;
  readonly temperature?: number;
  readonly stopSequences?: readonly string[];
}

/** What the model of a client answered. */
export interface McpSamplingAnswer {
  readonly text: string;
  /** The model's name. */
  readonly model: string;
  readonly stopReason?: string;
}

/** A folder or another place that the client lets servers work in. */
export interface McpRoot {
  readonly uri: string;
  readonly name?: string;
}

/**
 * The request that a tool, a resource or a prompt answers, and the client behind it.
 *
 * In revision 2026-07-28 a question ends the request, and the client repeats it with the answers: the tool starts again and the
 * question resolves at once. So each question has a name of its own, and what must happen once comes after the last one.
 */
export interface McpRequest {
  /** What the client supports. */
  readonly can: { readonly elicit: boolean; readonly sample: boolean; readonly roots: boolean };
  /** The client's own name and version, as far as it says them. */
  readonly client: { readonly name: string; readonly version: string } | undefined;
  /** The HTTP request, if it came over HTTP. */
  readonly http: Request | undefined;
  /** Aborted when the client cancels the request or leaves. */
  readonly signal: AbortSignal;
  /** Asks the client's user. Rejects if the client cannot, or its answer does not fit the schema. */
  elicit(name: string, question: McpElicitation): Promise<McpElicitationAnswer>;
  /** Asks the client's model. Rejects if the client cannot. */
  sample(name: string, question: McpSampling): Promise<McpSamplingAnswer>;
  /** Asks for the places that the client lets servers work in. Rejects if it has none to name. */
  roots(name: string): Promise<readonly McpRoot[]>;
  /** Sends a line to the client's log, if it wants lines of that level. */
  log(level: McpLogLevel, data: unknown, logger?: string): void;
}

import type { RequestOptions } from "@modelcontextprotocol/client";
import { ConfigurationError } from "../../../errors.ts";
import type { ToolContext } from "../../../tool/tool-context.ts";
import type { Tool, Toolset, ToolsetContext } from "../../../tool/types.ts";
import { invalidOption } from "../../../base/options/known-options.ts";
import { isUiAddress } from "../../../tool/ui.ts";
import { errorMessage } from "../../../base/util/error-message.ts";
import { fingerprint } from "../../../base/util/fingerprint.ts";
import { Semaphore } from "../../../base/util/semaphore.ts";
import { ask as askServer, type AskOptions } from "./ask.ts";
import { callRemote } from "./call.ts";
import { noDeadline } from "./limits.ts";
import { Backoff } from "./backoff.ts";
import { Connection, type OpenConnection } from "./connection.ts";
import { noteListed } from "./listed-servers.ts";
import type {
  McpListedPrompt,
  McpListedResource,
  McpListedTemplate,
  McpPromptResult,
  McpResourceResult,
} from "./listed.ts";
import type { ListedTool } from "./list-tools.ts";
import type { McpApp } from "./app.ts";
import type { ServerScope } from "./scope.ts";
import type { McpClientOptions } from "./types.ts";

/** Requests to a server at once unless the options say otherwise. */
const defaultConcurrency = 8;

/** Milliseconds that a request may take unless the options say otherwise. */
const defaultTimeout = 60_000;

/** The most reports that wait for a run to take them. */
const mostReports = 100;

/**
 * A server of the Model Context Protocol as a set of tools. It is connected to when it is first needed. Close it, or declare
 * it with `await using`: a connection to an address keeps the process from ending; a program does not, and ends with it.
 */
export class McpToolset implements Toolset, AsyncDisposable {
  readonly name: string;
  /** Tells the server from others of its name, as `ui.serverId` of events has it. */
  readonly serverId: string;
  readonly #options: McpClientOptions;
  readonly #connection: Connection;
  readonly #semaphore: Semaphore;
  readonly #calls = new Set<ToolContext>();
  readonly #reports = new Set<string>();
  readonly #scope: ServerScope;
  #listed: readonly ListedTool[] = [];
  #listing: Promise<readonly Tool[]> | undefined;
  #tools: readonly Tool[] = [];
  #extras: readonly Tool[] | undefined;
  /** Where and when the list was complete; `undefined` after a failure. */
  #current: { readonly open: OpenConnection; readonly toolChanges: number } | undefined;
  readonly #backoff = new Backoff();

  /** Made by `mcp(...)`. */
  constructor(name: string, options: McpClientOptions) {
    this.name = name;
    this.#options = options;
    this.serverId = idOf(options);
    const whereabouts = options.name === undefined ? whereIs(options) : undefined;
    this.#scope = {
      server: name,
      serverId: this.serverId,
      ...(whereabouts !== undefined && { whereabouts }),
      calls: this.#calls,
      warn: (message) => this.#report(message),
    };
    this.#connection = new Connection(options, this.#scope);
    this.#semaphore = new Semaphore(options.concurrency ?? defaultConcurrency);
  }

  /**
   * The server's tools as they are now: the same list until the server says that they have changed. Without the server
   * there are none, and the run warns.
   * @throws McpError if the server is `required` and cannot be used; ConfigurationError without the official SDK.
   */
  async tools(context?: ToolsetContext): Promise<readonly Tool[]> {
    if (!this.#isCurrent() && this.#backoff.wait <= 0)
      this.#listing ??= this.#list().finally(() => (this.#listing = undefined));
    const tools = await (this.#listing ?? this.#tools);
    for (const report of this.#reports) context?.warn?.(report);
    return tools;
  }

  /** All resources that the server lists. */
  async resources(): Promise<readonly McpListedResource[]> {
    return this.#request(async ({ client }, options) =>
      client.getServerCapabilities()?.resources
        ? (await client.listResources(undefined, options)).resources
        : [],
    );
  }

  /** The patterns of addresses under which the server has further resources. */
  async resourceTemplates(): Promise<readonly McpListedTemplate[]> {
    return this.#request(async ({ client }, options) =>
      client.getServerCapabilities()?.resources
        ? (await client.listResourceTemplates(undefined, options)).resourceTemplates
        : [],
    );
  }

  /** The contents of a resource. */
  async readResource(uri: string, signal?: AbortSignal): Promise<McpResourceResult> {
    return this.#request(
      ({ client }, options) => client.readResource({ uri }, { ...options, cacheMode: "bypass" }),
      signal,
    );
  }

  /**
   * The page of an app (MCP Apps), by the `resourceUri` that `ui` of a call's events has. It is another party's program: show it in a sandboxed
   * frame, under its `contentSecurityPolicy`.
   * @throws ConfigurationError (`invalid-option`) for another address than `ui://...`; McpError for an answer that is not one page of HTML.
   */
  async readApp(resourceUri: string, signal?: AbortSignal): Promise<McpApp> {
    if (!isUiAddress(resourceUri))
      throw invalidOption("readApp() takes the address of an app, which begins with ui://.", {
        option: "resourceUri",
      });
    const { readApp } = await import("./read-app.ts");
    return this.#request((open, options) => readApp(open, this.name, resourceUri, options), signal);
  }

  /** All prompts that the server lists. */
  async prompts(): Promise<readonly McpListedPrompt[]> {
    return this.#request(async ({ client }, options) =>
      client.getServerCapabilities()?.prompts ? (await client.listPrompts(undefined, options)).prompts : [],
    );
  }

  /** A prompt of the server, filled in: its messages can be the input of a run. */
  async getPrompt(name: string, args: Readonly<Record<string, string>> = {}): Promise<McpPromptResult> {
    const result = await this.#request(({ client }, options) =>
      client.getPrompt({ name, arguments: { ...args } }, options),
    );
    const { toPrompt } = await import("./content.ts");
    return toPrompt(result, this.#options.maxResultChars);
  }

  /** The server's own description of how to use it, for an agent's instructions: never passed on unasked. */
  async instructions(): Promise<string | undefined> {
    return this.#request(async ({ client }) => client.getInstructions());
  }

  /**
   * Writes down in the lock (`lockFile`) how the server's tools are now, and returns its path: from then on, what differs
   * from that is reported, and with `trust: "strict"` waits for a person.
   * @throws McpError if the server cannot be used; ConfigurationError (`lock-file`) for a lock that cannot be read.
   */
  async lock(): Promise<string> {
    const { lockTools } = await import("../trust/index.ts");
    const { listRemote } = await import("./listing.ts");
    const tools = await this.#request(async ({ client, sdk }, options) =>
      client.getServerCapabilities()?.tools ? listRemote(sdk, client, options, this.#scope) : [],
    );
    const path = await lockTools(tools, this.#options, this.#scope);
    // They are checked again.
    this.#current = undefined;
    return path;
  }

  /** Ends the connection, and the program where the server is one. What is needed later connects again. */
  async close(): Promise<void> {
    this.#backoff.reset();
    await this.#connection.close();
  }

  /** The same, at the end of a block with `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #isCurrent(): boolean {
    const listed = this.#current;
    return listed !== undefined && !listed.open.isClosed && listed.open.toolChanges === listed.toolChanges;
  }

  async #list(): Promise<readonly Tool[]> {
    noteListed(this);
    const { required, connectTimeout = defaultTimeout } = this.#options;
    this.#reports.clear();
    this.#current = undefined;
    try {
      this.#take(await this.#ask(connectTimeout));
      this.#backoff.reset();
    } catch (error) {
      if (required || error instanceof ConfigurationError) throw error;
      this.#backoff.recordFailure();
      this.#report(errorMessage(error));
      this.#take([]);
    }
    return this.#tools;
  }

  /** Asks the server for its tools, and takes those of our own with them. */
  async #ask(timeout: number): Promise<readonly Tool[]> {
    const call = (tool: ListedTool["remote"], input: unknown, context: ToolContext): Promise<unknown> =>
      this.#call(tool, input, context);
    const list = async (open: OpenConnection, signal: AbortSignal): Promise<readonly Tool[]> => {
      const { listTools, resourceTools } = await import("./listing.ts");
      const { toolChanges } = open;
      await open.watchTools(signal);
      this.#listed = await listTools(open, this.#options, this.#scope, call, this.#listed, signal);
      this.#current = { open, toolChanges };
      const hasResources = this.#options.resourceTools && open.client.getServerCapabilities()?.resources;
      if (hasResources) this.#extras ??= resourceTools(this);
      return [...this.#listed.map(({ tool }) => tool), ...((hasResources && this.#extras) || [])];
    };
    return askServer(list, { ...this.#asking(timeout), now: true });
  }

  /** The same list as before if its tools are the same. */
  #take(tools: readonly Tool[]): void {
    const isSame = tools.length === this.#tools.length && tools.every((tool, at) => tool === this.#tools[at]);
    if (!isSame) this.#tools = tools;
  }

  #call(tool: ListedTool["remote"], input: unknown, context: ToolContext): Promise<unknown> {
    return this.#semaphore.run(async () => {
      this.#calls.add(context);
      try {
        return await callRemote(this.#connection, tool, input, context, this.#options, this.#scope);
      } finally {
        this.#calls.delete(context);
      }
    }, context.signal);
  }

  #request<T>(
    ask: (open: OpenConnection, options: RequestOptions) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const { timeout = defaultTimeout } = this.#options;
    const request = (open: OpenConnection, signal: AbortSignal): Promise<T> =>
      ask(open, { signal, timeout: noDeadline });
    return this.#semaphore.run(
      () => askServer(request, { ...this.#asking(timeout), caller: signal }),
      signal,
    );
  }

  #asking(timeout: number): AskOptions {
    return { connection: this.#connection, server: this.name, timeout, isHarmless: true, onlyReads: true };
  }

  #report(message: string): void {
    if (this.#reports.size < mostReports) this.#reports.add(message);
  }
}

/** What distinguishes a server from others of its name; `undefined` for a transport, which the program opens itself. */
function whereIs(options: McpClientOptions): string | undefined {
  if ("url" in options) return String(options.url);
  return "command" in options ? JSON.stringify([options.command, options.args]) : undefined;
}

/** The same in each process for the same program or address; a transport, which the program opens itself, is known in this one alone. */
function idOf(options: McpClientOptions): string {
  if ("command" in options) return fingerprint(JSON.stringify([options.command, options.args]));
  const url = "url" in options ? URL.parse(String(options.url)) : null;
  // What follows the path may be a key that changes.
  return url ? fingerprint(`${url.origin}${url.pathname}`) : crypto.randomUUID();
}

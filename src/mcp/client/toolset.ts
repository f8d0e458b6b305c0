import type {
  GetPromptResult,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplateType,
} from "@modelcontextprotocol/client";
import type { Tool, ToolContext, Toolset, ToolsetContext } from "../../tool/types.ts";
import { errorMessage } from "../../util/error-message.ts";
import { Gate } from "../../util/gate.ts";
import { callRemote } from "./call.ts";
import { noDeadline } from "./connect.ts";
import { Connection, type OpenConnection } from "./connection.ts";
import { failed } from "./failed.ts";
import { listTools, type ListedTool } from "./list-tools.ts";
import { resourceTools } from "./resource-tools.ts";
import type { ServerScope } from "./scope.ts";
import type { McpClientOptions } from "./types.ts";

/** Requests to a server at once unless the options say otherwise. */
const defaultConcurrency = 8;

/** The most reports that wait for a run to take them. */
const mostReports = 100;

/** A server of the Model Context Protocol as a set of tools. It is connected to when it is first needed. */
export class McpToolset implements Toolset, AsyncDisposable {
  readonly name: string;
  readonly #options: McpClientOptions;
  readonly #connection: Connection;
  readonly #gate: Gate;
  readonly #calls = new Set<ToolContext>();
  readonly #reports = new Set<string>();
  readonly #scope: ServerScope;
  #listed: readonly ListedTool[] = [];
  #listing: Promise<readonly Tool[]> | undefined;
  #tools: readonly Tool[] = [];
  #listedOn: OpenConnection | undefined;

  /** Made by `mcp(...)`. */
  constructor(name: string, options: McpClientOptions) {
    this.name = name;
    this.#options = options;
    this.#scope = { server: name, calls: this.#calls, warn: (message) => this.#report(message) };
    this.#connection = new Connection(options, this.#scope);
    this.#gate = new Gate(options.concurrency ?? defaultConcurrency);
  }

  /**
   * The server's tools as they are now: the same list until the server says that they have changed. Without the server
   * there are none, and the run warns.
   * @throws McpError if the server is `required` and cannot be used; ConfigurationError without the official SDK.
   */
  async tools(context?: ToolsetContext): Promise<readonly Tool[]> {
    const open = this.#listedOn;
    const isCurrent = open && !open.isClosed && !open.toolsChanged;
    if (!isCurrent) this.#listing ??= this.#list().finally(() => (this.#listing = undefined));
    const tools = await (this.#listing ?? this.#tools);
    for (const report of this.#reports) context?.warn?.(report);
    return tools;
  }

  /** All resources that the server lists. */
  async resources(): Promise<readonly Resource[]> {
    return this.#request(async ({ client }) =>
      client.getServerCapabilities()?.resources
        ? (await client.listResources(undefined, { timeout: noDeadline })).resources
        : [],
    );
  }

  /** The patterns of addresses under which the server has further resources. */
  async resourceTemplates(): Promise<readonly ResourceTemplateType[]> {
    return this.#request(async ({ client }) =>
      client.getServerCapabilities()?.resources
        ? (await client.listResourceTemplates(undefined, { timeout: noDeadline })).resourceTemplates
        : [],
    );
  }

  /** The contents of a resource. */
  async readResource(uri: string, signal?: AbortSignal): Promise<ReadResourceResult> {
    return this.#request(
      ({ client }) =>
        client.readResource({ uri }, { timeout: noDeadline, cacheMode: "bypass", ...(signal && { signal }) }),
      signal,
    );
  }

  /** All prompts that the server lists. */
  async prompts(): Promise<readonly Prompt[]> {
    return this.#request(async ({ client }) =>
      client.getServerCapabilities()?.prompts
        ? (await client.listPrompts(undefined, { timeout: noDeadline })).prompts
        : [],
    );
  }

  /** A prompt of the server, filled in. */
  async getPrompt(name: string, args: Readonly<Record<string, string>> = {}): Promise<GetPromptResult> {
    return this.#request(({ client }) =>
      client.getPrompt({ name, arguments: { ...args } }, { timeout: noDeadline }),
    );
  }

  /** What the server says of how it is to be used, for an agent's instructions: never passed on unasked. */
  async instructions(): Promise<string | undefined> {
    return this.#request(async ({ client }) => client.getInstructions());
  }

  /** Ends the connection, and the program where the server is one. What is needed later connects again. */
  async close(): Promise<void> {
    await this.#connection.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #list(): Promise<readonly Tool[]> {
    this.#reports.clear();
    try {
      const open = await this.#connection.open(undefined, true);
      open.toolsChanged = false;
      const call = (tool: ListedTool["remote"], input: unknown, context: ToolContext): Promise<unknown> =>
        this.#call(tool, input, context);
      const listed = await listTools(open, this.#options, this.#scope, call, this.#listed);
      const extras =
        this.#options.resourceTools && open.client.getServerCapabilities()?.resources
          ? resourceTools(this)
          : [];
      this.#take(listed, extras);
      this.#listedOn = open;
    } catch (error) {
      if (this.#options.required || !(error instanceof Error && "code" in error)) throw error;
      this.#report(errorMessage(error));
      this.#take([], []);
    }
    return this.#tools;
  }

  /** The same list if its tools are the same. */
  #take(listed: readonly ListedTool[], extras: readonly Tool[]): void {
    this.#listed = listed;
    const tools = [...listed.map(({ tool }) => tool), ...extras];
    const isSame = tools.length === this.#tools.length && tools.every((tool, at) => tool === this.#tools[at]);
    if (!isSame) this.#tools = tools;
  }

  #call(tool: ListedTool["remote"], input: unknown, context: ToolContext): Promise<unknown> {
    return this.#gate.pass(async () => {
      this.#calls.add(context);
      try {
        return await callRemote(this.#connection, tool, input, context, this.#options, this.#scope);
      } finally {
        this.#calls.delete(context);
      }
    }, context.signal);
  }

  #request<T>(ask: (open: OpenConnection) => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.#gate.pass(async () => {
      const open = await this.#connection.open(signal);
      try {
        return await ask(open);
      } catch (error) {
        signal?.throwIfAborted();
        throw failed(error, open, this.#options, this.name);
      }
    }, signal);
  }

  #report(message: string): void {
    if (this.#reports.size < mostReports) this.#reports.add(message);
  }
}

import { ConfigurationError } from "../../../errors.ts";
import { assertKnownOptions } from "../../../base/options/known-options.ts";
import { toolset, type WrappedToolset } from "../../../tool/toolset.ts";
import type { Tool, Toolset, ToolsetContext } from "../../../tool/types.ts";
import { commonOptions, mcpServer } from "./mcp-server.ts";
import { readConfig } from "./read-config.ts";
import type { McpToolset } from "./toolset.ts";
import type { McpCommonOptions } from "./types.ts";

/** How a configuration of servers is read. */
export interface McpConfigOptions extends Omit<McpCommonOptions, "name"> {
  /** Only these of its servers. */
  readonly only?: readonly string[];
  /** Options of single servers by name, before those for all. */
  readonly servers?: Readonly<Record<string, McpCommonOptions>>;
  /** What `${NAME}` and `${env:NAME}` stand for; the environment of this process by default. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
  /** What `${input:id}` stands for. */
  readonly inputs?: Readonly<Record<string, string>>;
}

/** Several servers as one set of tools. Where two have a tool of one name, the later one gets its server's name in front. */
export class McpServers implements Toolset, AsyncDisposable {
  readonly name = "mcp";
  /** Each server by its name. */
  readonly servers: ReadonlyMap<string, McpToolset>;
  readonly #all: WrappedToolset;

  /** Made by `mcp.config(...)`. */
  constructor(servers: readonly McpToolset[]) {
    this.servers = new Map(servers.map((server) => [server.name, server]));
    this.#all = toolset(servers, "mcp");
  }

  /**
   * The tools of all servers that can be used; the run warns of the others.
   * @throws McpError if a server that is `required` cannot be used.
   */
  tools(context: ToolsetContext): Promise<readonly Tool[]> {
    return this.#all.tools(context);
  }

  /** Closes every server. */
  async close(): Promise<void> {
    await this.#all.close();
  }

  /** The same, at the end of a block with `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

const optionNames = {
  ...commonOptions,
  only: true,
  servers: true,
  variables: true,
  inputs: true,
} satisfies Record<keyof McpConfigOptions | "name", true>;

/** As `mcp.config(...)`. */
export function mcpConfig(source: string | URL | object, options: McpConfigOptions = {}): McpServers {
  assertKnownOptions(options, optionNames, "mcp.config()");
  const { only, servers: single = {}, variables, inputs = {}, ...common } = options;
  const place = typeof source === "string" || source instanceof URL ? String(source) : "the configuration";
  const all = readConfig(
    source,
    place,
    { environment: variables ?? environment(), inputs, folder: folder() },
    only,
  );
  for (const [name, options] of Object.entries(single)) {
    assertKnownOptions(options, commonOptions, `servers["${name}"] of mcp.config()`);
  }
  for (const name of [...(only ?? []), ...Object.keys(single)]) {
    if (all.names.includes(name)) continue;
    throw new ConfigurationError(
      `${place} has no server "${name}", only: ${all.names.join(", ") || "none"}.`,
      {
        code: "mcp-config",
        data: { name },
      },
    );
  }
  return new McpServers(
    all.servers.map(([name, entry]) =>
      mcpServer(
        { ...entry, ...common, ...(Object.hasOwn(single, name) && single[name]), name },
        `the server "${name}" of ${place}`,
      ),
    ),
  );
}

function environment(): Readonly<Record<string, string | undefined>> {
  return typeof process === "object" ? process.env : {};
}

function folder(): string {
  return typeof process === "object" ? process.cwd() : "/";
}

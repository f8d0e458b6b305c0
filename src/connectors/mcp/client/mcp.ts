import { mcpConfig, type McpConfigOptions, type McpServers } from "./config.ts";
import { mcpServer } from "./mcp-server.ts";
import type { McpToolset } from "./toolset.ts";
import type { McpClientOptions } from "./types.ts";

/** Makes toolsets of servers. */
export interface Mcp {
  /**
   * A server of the Model Context Protocol as a set of tools: a program, an address, or a transport of the official SDK.
   * It is connected to at the first run, by the package `@modelcontextprotocol/client`.
   * ```ts
   * await using files = mcp({ command: "npx", args: ["-y", "@modelcontextprotocol/server-filesystem", "."] });
   * const agent = new Agent({ name: "Librarian", tools: [files] });
   * ```
   * @throws ConfigurationError for options that say nothing, or more than one thing, about where the server is.
   */
  (options: McpClientOptions): McpToolset;
  /**
   * The servers of a configuration as Claude Desktop, Cursor, VS Code and others have it: a file, or an object with
   * `mcpServers` (or `servers`). Servers that it calls disabled are left out.
   * ```ts
   * const servers = mcp.config(".cursor/mcp.json");
   * ```
   * @throws ConfigurationError for a file that cannot be read, a server that says nothing of where it is, a variable without
   * a value, and a name in the options that no server has.
   */
  config(source: string | URL | object, options?: McpConfigOptions): McpServers;
}

/** Makes toolsets of servers of the Model Context Protocol. */
// oxlint-disable-next-line no-restricted-properties -- a literal of this file, onto a function of this file
export const mcp: Mcp = Object.assign((options: McpClientOptions) => mcpServer(options), {
  config: mcpConfig,
});

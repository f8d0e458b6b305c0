import { ConfigurationError } from "../../errors.ts";
import { assertKnownOptions } from "../../options/known-options.ts";
import { slug } from "../../util/slug.ts";
import { McpToolset } from "./toolset.ts";
import type { McpCommonOptions, McpClientOptions } from "./types.ts";

/** The name of each option that all servers have. */
export const commonOptions: Readonly<Record<keyof McpCommonOptions, true>> = {
  name: true,
  required: true,
  connectTimeout: true,
  timeout: true,
  concurrency: true,
  maxTools: true,
  maxResultChars: true,
  maxMessageBytes: true,
  resourceTools: true,
  protocol: true,
  roots: true,
  sampling: true,
  elicitation: true,
  trust: true,
};

/** The options of each way to reach a server. */
const ways = {
  command: { ...commonOptions, command: true, args: true, env: true, cwd: true },
  url: { ...commonOptions, url: true, headers: true, auth: true, type: true, fetch: true },
  transport: { ...commonOptions, transport: true },
} as const;

/** As `mcp(...)`. */
export function mcpServer(options: McpClientOptions): McpToolset {
  const given = (["command", "url", "transport"] as const).filter((way) => way in options);
  const [way] = given;
  if (way === undefined || given.length > 1) {
    throw new ConfigurationError(
      `mcp() takes one of { command }, { url } and { transport }, not ${given.join(" and ") || "none of them"}.`,
      { code: "invalid-option" },
    );
  }
  assertKnownOptions(options, ways[way], `mcp({ ${way} })`);
  if ("url" in options && !URL.canParse(String(options.url))) {
    throw new ConfigurationError(
      `url of mcp() is ${JSON.stringify(String(options.url))}: give a whole address.`,
      {
        code: "invalid-option",
      },
    );
  }
  return new McpToolset(options.name ?? nameOf(options), options);
}

/** A name made of the program or the address. */
function nameOf(options: McpClientOptions): string {
  if ("url" in options) return slug(new URL(options.url).hostname);
  if ("transport" in options) return "mcp";
  const { command, args = [] } = options;
  const words = [command, ...args].map((word) => word.split(/[\\/]/).at(-1) ?? "");
  const runner = /^(npx|node|bunx|uvx|uv|deno|docker|python3?|pnpm|yarn|bun|cmd)(\.exe|\.cmd)?$/;
  const told = words.find((word) => !runner.test(word) && !word.startsWith("-") && word !== "");
  return slug((told ?? command).replace(/^(mcp-)?server-/, "").replace(/(@[\w.^~]+|\.[cm]?[jt]s)$/, ""));
}

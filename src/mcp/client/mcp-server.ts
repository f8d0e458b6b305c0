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
  lockFile: true,
};

/** The options of each way to reach a server. */
const ways = {
  command: { ...commonOptions, command: true, args: true, env: true, cwd: true },
  url: { ...commonOptions, url: true, headers: true, auth: true, type: true, fetch: true },
  transport: { ...commonOptions, transport: true },
} as const;

/** The options that say how much or how long. */
const amounts = [
  "connectTimeout",
  "timeout",
  "concurrency",
  "maxTools",
  "maxResultChars",
  "maxMessageBytes",
] as const satisfies readonly (keyof McpCommonOptions)[];

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
  for (const name of amounts) {
    const amount = options[name];
    if (amount === undefined || amount > 0) continue;
    throw new ConfigurationError(`${name} of mcp() is ${String(amount)}: give a number above 0.`, {
      code: "invalid-option",
    });
  }
  if ("url" in options && !URL.canParse(String(options.url))) {
    throw new ConfigurationError(
      `url of mcp() is ${JSON.stringify(String(options.url))}: give a whole address.`,
      {
        code: "invalid-option",
      },
    );
  }
  const { trust = "warn" } = options;
  if (!["strict", "warn", "off"].includes(trust)) {
    throw new ConfigurationError(`trust of mcp() is "${trust}": give "strict", "warn" or "off".`, {
      code: "invalid-option",
    });
  }
  return new McpToolset(options.name ?? nameOf(options), options);
}

/** What programs are run by, and so says nothing of them. */
const runner = /^(npx|node|bunx?|uvx?|deno|docker|python3?|pnpm|yarn|cmd)(\.exe|\.cmd)?$/;

/** A name made of the program or the address. */
function nameOf(options: McpClientOptions): string {
  if ("url" in options) return slug(new URL(options.url).hostname.replace(/^(mcp|www)\./, ""));
  if ("transport" in options) return "mcp";
  const { command, args = [] } = options;
  const told = [command, ...args].find((word) => !runner.test(lastPart(word)) && !word.startsWith("-"));
  const whole = (told ?? command).replace(/(.)@[\w.^~]+$/, "$1").replace(/\.[cm]?[jt]s$/, "");
  const [, scope] = /^@([^/]+)\/mcp$/.exec(whole) ?? [];
  return slug(scope ?? lastPart(whole).replaceAll(/^(mcp-)?server-|^mcp-|-mcp-server$|-mcp$/g, ""));
}

function lastPart(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}

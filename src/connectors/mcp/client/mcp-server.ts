import { absolutePath } from "../../../base/util/absolute-path.ts";
import { assertKnownOptions, invalidOption } from "../../../base/options/known-options.ts";
import { redactKeys } from "../../../base/util/redact-keys.ts";
import { slug } from "../../../base/util/slug.ts";
import { assertAuth } from "../auth/assert-auth.ts";
import type { SamplingOptions } from "./questions.ts";
import { McpToolset } from "./toolset.ts";
import type { McpClientOptions, McpCommandOptions, McpCommonOptions } from "./types.ts";
import { isObject } from "../../../base/util/json.ts";

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
  apps: true,
  protocol: true,
  roots: true,
  sampling: true,
  elicitation: true,
  trust: true,
  lockFile: true,
};

const samplingOptions = {
  approve: true,
  model: true,
  maxOutputTokens: true,
} satisfies Record<keyof SamplingOptions, true>;

/** The options of each way to reach a server. */
const ways = {
  command: { ...commonOptions, command: true, args: true, env: true, cwd: true },
  url: { ...commonOptions, url: true, headers: true, auth: true, type: true, fetch: true },
  transport: { ...commonOptions, transport: true },
} as const;

/** The options that are numbers. */
const amounts = [
  "connectTimeout",
  "timeout",
  "concurrency",
  "maxTools",
  "maxResultChars",
  "maxMessageBytes",
] as const satisfies readonly (keyof McpCommonOptions)[];

/** The same as `mcp(...)`; `place` names the call in errors. */
export function mcpServer(options: McpClientOptions, place = "mcp()"): McpToolset {
  const addresses = isObject(options)
    ? (["command", "url", "transport"] as const).filter((way) => way in options)
    : [];
  const [way] = addresses;
  if (way === undefined || addresses.length > 1) {
    const description = addresses.length > 1 ? addresses.join(" and ") : describe(options);
    throw invalidOption(
      `${place} takes an object with one of command, url and transport, not ${description}. For example: { command: "npx", args: ["-y", "a-server"] }.`,
      { option: addresses[1] ?? "command" },
    );
  }
  assertKnownOptions(options, ways[way], place === "mcp()" ? `mcp({ ${way} })` : place);
  for (const name of amounts) {
    const amount = options[name];
    if (amount === undefined || (typeof amount === "number" && amount > 0)) continue;
    throw invalidOption(
      `${name} of ${place} is ${typeof amount === "string" ? JSON.stringify(amount) : String(amount)}. Expected a number above 0.`,
      {
        option: name,
      },
    );
  }
  if (options.sampling) assertKnownOptions(options.sampling, samplingOptions, `sampling of ${place}`);
  if ("url" in options) assertAddress(options.url, place);
  if ("url" in options && options.auth) assertAuth(options.auth, place);
  if ("command" in options) assertCommand(options, place);
  const { trust = "warn" } = options;
  if (!["strict", "warn", "off"].includes(trust)) {
    throw invalidOption(`trust of ${place} is "${trust}". Expected "strict", "warn" or "off".`, {
      option: "trust",
    });
  }
  return new McpToolset(options.name ?? nameOf(options), withAbsolutePaths(options));
}

/** A connection begins late, and may begin again: a tool may have changed the working directory by then. */
function withAbsolutePaths<Options extends McpClientOptions>(options: Options): Options {
  const { lockFile, roots } = options;
  return {
    ...options,
    ...(lockFile !== undefined && { lockFile: absolutePath(lockFile) }),
    ...(Array.isArray(roots) && { roots: roots.map(absoluteRoot) }),
    ...("command" in options && { cwd: absolutePath(options.cwd ?? "") }),
  };
}

function absoluteRoot(root: string): string {
  return root.startsWith("file:") ? root : absolutePath(root);
}

/** Describes a value that is not a server, for the error. */
function describe(value: unknown): string {
  if (!isObject(value)) return JSON.stringify(value) ?? typeof value;
  return `one with ${Object.keys(value).join(", ") || "nothing"}`;
}

function assertAddress(url: unknown, place: string): void {
  const address = url instanceof URL ? url : typeof url === "string" ? URL.parse(url) : null;
  if (!address || !/^https?:$/.test(address.protocol)) {
    // A login is a secret in a wrong address, too.
    const text = url instanceof URL ? url.href : url;
    const shownUrl =
      typeof text === "string" ? JSON.stringify(redactKeys(text.replace(/^.*@/s, ""))) : typeof text;
    throw invalidOption(
      `url of ${place} is ${shownUrl}. Expected a complete URL, such as "http://127.0.0.1:3000/mcp".`,
      { option: "url" },
    );
  }
  if (!address.username && !address.password) return;
  throw invalidOption(
    `url of ${place} holds a user name or a password. Send them as a header: { headers: { authorization: "Basic ..." } }.`,
    { option: "url" },
  );
}

function assertCommand({ command, args = [] }: McpCommandOptions, place: string): void {
  if (typeof command !== "string" || command.trim() === "") {
    const shownCommand = JSON.stringify(command) ?? "undefined";
    throw invalidOption(`command of ${place} is ${shownCommand}. Expected the name or path of a program.`, {
      option: "command",
    });
  }
  if (!Array.isArray(args) || args.some((arg) => typeof arg !== "string")) {
    throw invalidOption(`args of ${place} must be a list of texts, one for each argument.`, {
      option: "args",
    });
  }
}

/** Programs that run other programs: their names do not identify a server. */
const runner = /^(npx|node|bunx?|uvx?|deno|docker|python3?|pnpm|yarn|cmd)(\.exe|\.cmd)?$/;

/** A name derived from the program or the address. */
function nameOf(options: McpClientOptions): string {
  if ("url" in options) return slug(new URL(options.url).hostname.replace(/^(mcp|www)\./, ""));
  if ("transport" in options) return "mcp";
  const { command, args = [] } = options;
  const packageName = [command, ...args].find(
    (word) => !runner.test(lastPart(word)) && !word.startsWith("-"),
  );
  const whole = (packageName ?? command).replace(/(.)@[\w.^~]+$/, "$1").replace(/\.[cm]?[jt]s$/, "");
  const [, scope] = /^@([^/]+)\/mcp$/.exec(whole) ?? [];
  return slug(scope ?? lastPart(whole).replaceAll(/^(mcp-)?server-|^mcp-|-mcp-server$|-mcp$/g, ""));
}

function lastPart(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}

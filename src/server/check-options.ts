import { isCompleteAgent } from "../agent/handoff.ts";
import type { AnyAgent } from "../agent/agent.ts";
import { assertFunction } from "../base/options/assert-function.ts";
import { assertAtLeast } from "../base/options/at-least.ts";
import { assertKnownOptions, describeValue, invalidOption } from "../base/options/known-options.ts";
import { ConfigurationError, NameClashError } from "../errors.ts";
import { checkedShow } from "../run/public/show.ts";
import type { AppSource, ServedAgents, ServedProtocol, ServeOptions, UserLimits } from "./types.ts";

const optionNames = {
  store: true,
  authorize: true,
  cors: true,
  allowedHosts: true,
  protocols: true,
  mcp: true,
  apps: true,
  show: true,
  busy: true,
  basePath: true,
  maxBodyBytes: true,
  maxRuns: true,
  perUser: true,
  keepAlive: true,
  work: true,
  approvalTimeout: true,
  runOptions: true,
  onError: true,
} satisfies Record<keyof ServeOptions, true>;

const limitNames = { runs: true, requestsPerMinute: true } satisfies Record<keyof UserLimits, true>;

const protocolNames = {
  native: true,
  "chat-completions": true,
  responses: true,
  "ui-messages": true,
  "ag-ui": true,
  a2a: true,
} satisfies Record<ServedProtocol, true>;

/** Those that need no package beside the framework. */
export const standardProtocols: readonly ServedProtocol[] = [
  "native",
  "chat-completions",
  "responses",
  "ui-messages",
  "ag-ui",
];

/** @throws ConfigurationError (`invalid-option`) */
export function checkServeOptions(options: ServeOptions): ServeOptions {
  assertKnownOptions(options, optionNames, "serve()");
  const { busy, protocols, show, perUser = {}, basePath, cors = [], authorize, allowedHosts } = options;
  checkedShow(show, "serve()");
  assertKnownOptions(perUser, limitNames, "perUser of serve()");
  if (authorize !== undefined && typeof authorize !== "function")
    throw invalidOption('authorize must be a function: authorize: (request) => ({ user: "ada" }).', {
      option: "authorize",
    });
  for (const [option, list] of Object.entries({ protocols, cors, allowedHosts, apps: options.apps }))
    if (list !== undefined && !Array.isArray(list))
      throw invalidOption(`${option} must be a list, not ${describeValue(list)}.`, { option });
  for (const name of allowedHosts ?? [])
    if (!isHostName(name))
      throw invalidOption(
        `allowedHosts has ${describeValue(name)}, which is not the name of a host in small letters and without a port, such as "shop.example".`,
        { option: "allowedHosts" },
      );
  if (allowedHosts !== undefined && !authorize)
    throw invalidOption(
      'allowedHosts lets others than this machine in. Set authorize as well: who may use the agents? For all: authorize: () => ({ user: "anyone" }).',
      { option: "allowedHosts" },
    );
  if (busy !== undefined && !["reject", "wait", "steer"].includes(busy))
    throw invalidOption(`busy must be "reject", "wait" or "steer", not ${describeValue(busy)}.`, {
      option: "busy",
    });
  if (options.mcp !== undefined && typeof options.mcp?.fetch !== "function")
    throw invalidOption(
      "mcp must be what mcpHandler() of skein/mcp returns: mcp: await mcpHandler({ agents: [triage] }).",
      {
        option: "mcp",
      },
    );
  assertApps(options.apps ?? []);
  for (const protocol of protocols ?? [])
    if (!Object.hasOwn(protocolNames, protocol))
      throw invalidOption(
        `protocols has ${describeValue(protocol)}. There are: ${Object.keys(protocolNames).join(", ")}.`,
        { option: "protocols" },
      );
  for (const origin of cors)
    if (!isOrigin(origin))
      throw invalidOption(
        `cors has ${describeValue(origin)}, which is not an origin such as "https://shop.example".`,
        { option: "cors" },
      );
  if (basePath !== undefined) assertPath(basePath);
  if (options.work !== undefined && typeof options.work !== "boolean")
    throw invalidOption(
      `work must be true or false, not ${describeValue(options.work)}. Write work: false to leave runs to workers of the same store.`,
      { option: "work" },
    );
  if (options.maxRuns !== undefined && !Number.isSafeInteger(options.maxRuns))
    throw invalidOption(
      `maxRuns must be a whole number of at least 1, such as 1000, not ${describeValue(options.maxRuns)}: what waits for a place costs nothing.`,
      { option: "maxRuns" },
    );
  assertFunction("onError", options.onError, "serve()", "onError: (error) => console.error(error)");
  assertAtLeast("maxBodyBytes", options.maxBodyBytes, 1);
  assertAtLeast("maxRuns", options.maxRuns, 1);
  assertAtLeast("keepAlive", options.keepAlive, 0);
  assertAtLeast("perUser.runs", perUser.runs, 1);
  assertAtLeast("perUser.requestsPerMinute", perUser.requestsPerMinute, 1);
  return options;
}

/** @throws ConfigurationError (`invalid-option`) for what is not a path as addresses have it. */
function assertPath(path: unknown): void {
  const isText = typeof path === "string" && /^\/.*[^/]$/s.test(path);
  if (!isText)
    throw invalidOption(
      `basePath must begin with a slash and not end with one, such as "/ai", not ${describeValue(path)}.`,
      { option: "basePath" },
    );
  const url = URL.parse(`http://localhost${path}`);
  if (url?.href === `http://localhost${path}` && !/[?#]/.test(path)) return;
  throw invalidOption(
    `basePath must be a path as addresses have it, not ${describeValue(path)}. Write ${describeValue(url?.pathname ?? "/ai")}.`,
    { option: "basePath" },
  );
}

/** @throws ConfigurationError (`invalid-option`); NameClashError for two servers of one name: a page of one would be read from the other. */
function assertApps(apps: readonly AppSource[]): void {
  const names = new Set<string>();
  for (const app of apps) {
    const { name, readApp }: { readonly name?: unknown; readonly readApp?: unknown } = Object(app);
    if (typeof name !== "string" || typeof readApp !== "function")
      throw invalidOption(
        `apps has ${describeValue(app)}, which is not what mcp() of skein/mcp returns: apps: [weather].`,
        { option: "apps" },
      );
    if (names.has(name))
      throw new NameClashError(
        `apps has two servers that are called "${name}". Set a name for each: mcp({ name: ... }).`,
        {
          name,
        },
      );
    names.add(name);
  }
}

/** The agents by the names that clients use. @throws ConfigurationError */
export function namedAgents(agents: ServedAgents): ReadonlyMap<string, AnyAgent> {
  const entries = entriesOf(agents);
  if (entries.length === 0)
    throw new ConfigurationError("serve() needs an agent: serve({ triage }).", { code: "invalid-option" });
  for (const [name, agent] of entries) {
    if (!isCompleteAgent(agent))
      throw new ConfigurationError(
        `serve() was passed ${describeValue(agent)} as "${name}", which is not an Agent.`,
        {
          code: "invalid-option",
        },
      );
  }
  assertOwnNames(new Set(entries.map(([, agent]) => agent)));
  return new Map(entries);
}

/** A run is stored with the name of its agent, by which it is found again: a copy of an agent needs a name of its own, too. */
function assertOwnNames(agents: ReadonlySet<AnyAgent>): void {
  const names = new Set<string>();
  for (const { name } of agents) {
    if (names.has(name))
      throw new NameClashError(
        `serve() was passed two agents that are called "${name}". Rename one of them: agent.with({ name: ... }).`,
        { name },
      );
    names.add(name);
  }
}

function entriesOf(agents: ServedAgents): readonly (readonly [string, AnyAgent])[] {
  if (isCompleteAgent(agents)) return [[agents.name, agents]];
  if (isList(agents)) return agents.map((agent) => [agent.name, agent]);
  return typeof agents === "object" && agents !== null ? Object.entries(agents) : [];
}

function isList(agents: ServedAgents): agents is readonly AnyAgent[] {
  return Array.isArray(agents);
}

/** As addresses have it: `new URL(request.url).hostname`. */
function isHostName(name: unknown): boolean {
  return (
    typeof name === "string" && URL.canParse(`http://${name}`) && new URL(`http://${name}`).hostname === name
  );
}

function isOrigin(text: unknown): boolean {
  return typeof text === "string" && URL.canParse(text) && new URL(text).origin === text;
}

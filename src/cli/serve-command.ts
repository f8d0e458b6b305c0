import type { AnyAgent } from "../agent/agent.ts";
import { asAgent } from "../agent/handoff.ts";
import { postgresStore } from "../durable/postgres/postgres-store.ts";
import { sqliteStore } from "../durable/sqlite/sqlite-store.ts";
import type { DurableStore } from "../durable/store.ts";
import { ConfigurationError } from "../errors.ts";
import { errorMessage } from "../base/util/error-message.ts";
import { isObject } from "../base/util/json.ts";
import { serve, type Listening, type ServedProtocol, type SkeinServer } from "../server/index.ts";
import { isAgent } from "../tool/agent-like.ts";
import { chooseAgent } from "./load-agent.ts";
import { assertFile, importModule } from "./load-module.ts";
import { modelOrOffline, shareModel } from "./model-or-offline.ts";
import { assertStoreName } from "./store-name.ts";
import { printable } from "./text.ts";

/** What a program that exports its own server has set itself. */
interface ServerFlags {
  readonly store?: string;
  readonly cors?: readonly string[];
  readonly protocols?: readonly ServedProtocol[];
  readonly allowHost?: readonly string[];
  readonly openToEveryone?: boolean;
  readonly model?: string;
}

/** The options of `skein serve`. */
export interface ServeFlags extends ServerFlags {
  readonly port: number;
  readonly host?: string;
}

/** What the options of a server are called on the command line. */
const flagNames = {
  store: "--store",
  cors: "--cors",
  protocols: "--protocols",
  allowHost: "--allow-host",
  openToEveryone: "--open-to-everyone",
  model: "--model",
} satisfies Record<keyof ServerFlags, string>;

/**
 * Serves the agents that a file exports, or the server that it exports, until a signal ends the process. Runs under way have some time
 * to end then; a second signal ends them, too.
 * @throws ConfigurationError for a file that exports neither, options that it has set itself, a host that is open to the network without
 * leave, or a port that is not available. Also what opening its store throws.
 */
export async function serveCommand(file: string, flags: ServeFlags): Promise<void> {
  const { port, host, ...others } = flags;
  await assertFile(file);
  await shareModel(flags.model);
  const exports = await importModule(file);
  const own = exportedServer(exports);
  const { server, names } = own ? { server: own, names: [] } : await newServer(file, exports, flags);
  if (own) assertNotSet(file, others);
  const listening = await server.listen({ port, ...(host !== undefined && { host }) });
  process.stdout.write(printable(`${intro(listening, names, flags)}\n`));
  await untilSignal(server, listening);
}

/** The server among a module's exports: `default`, `app` or `server`. */
function exportedServer(exports: Readonly<Record<string, unknown>>): SkeinServer | undefined {
  return ["default", "app", "server"]
    .map((name) => (Object.hasOwn(exports, name) ? exports[name] : undefined))
    .find(isServer);
}

function isServer(value: unknown): value is SkeinServer {
  return (
    isObject(value) &&
    ["fetch", "listen", "close"].every((name) => typeof value[name] === "function") &&
    isObject(value["runs"])
  );
}

function assertNotSet(file: string, flags: ServerFlags): void {
  for (const [key, name] of Object.entries(flagNames))
    if (Object.hasOwn(flags, key))
      throw new ConfigurationError(
        `${file} exports a server, which has options of its own. Leave out ${name}, and set it in serve().`,
        { code: "usage" },
      );
}

async function newServer(
  file: string,
  exports: Readonly<Record<string, unknown>>,
  flags: ServeFlags,
): Promise<{ readonly server: SkeinServer; readonly names: readonly string[] }> {
  const { store, cors, protocols, allowHost, openToEveryone = false, model } = flags;
  assertForEveryone(flags);
  if (store !== undefined) assertStoreName(store);
  const served = servedAgents(exports);
  const agents = [...served.values()];
  // Says what is there instead.
  if (agents.length === 0) chooseAgent(file, exports);
  const opened = store === undefined ? undefined : await openStore(store);
  if (model !== undefined) process.env["SKEIN_MODEL"] = model;
  else if (agents.some((agent) => agent.model === undefined)) await announceOffline();
  try {
    const server = serve(Object.fromEntries(served), {
      ...(opened && { store: opened }),
      ...(cors && { cors }),
      ...(protocols && { protocols }),
      ...(allowHost && { allowedHosts: ["localhost", "127.0.0.1", "[::1]", ...allowHost] }),
      ...(openToEveryone && { authorize: () => ({ user: "anyone" }) }),
    });
    return { server, names: [...served.keys()] };
  } catch (error) {
    // Its connections would keep the process.
    await opened?.close();
    throw error;
  }
}

/**
 * The agents that a module exports, by the names of their exports, as `serve({ weather })` has them: one with several, under each. The default
 * counts where it has no other, and has the agent's own name then.
 */
function servedAgents(exports: Readonly<Record<string, unknown>>): ReadonlyMap<string, AnyAgent> {
  const served = new Map<string, AnyAgent>();
  const { default: standard, ...others } = exports;
  for (const [key, value] of Object.entries(others)) if (isAgent(value)) served.set(key, asAgent(value));
  if (!isAgent(standard) || [...served.values()].includes(asAgent(standard))) return served;
  const { name } = asAgent(standard);
  return served.set(served.has(name) ? "default" : name, asAgent(standard));
}

/** @throws ConfigurationError for others than this machine, unless all of them are to be let in: the commands ask nobody who they are. */
function assertForEveryone({ host = "127.0.0.1", allowHost, openToEveryone = false }: ServeFlags): void {
  if (openToEveryone) return;
  const isLocal = ["localhost", "127.0.0.1", "::1", "[::1]"].includes(host);
  if (isLocal && !allowHost) return;
  throw new ConfigurationError(
    `${isLocal ? "--allow-host" : `--host ${host}`} lets others than this machine in. Add --open-to-everyone, which makes all of them one user, or export a server with authorize: serve(agents, { authorize }).`,
    { code: "usage" },
  );
}

async function announceOffline(): Promise<void> {
  if ((await modelOrOffline()).provider === "offline")
    say("agents speak with an offline stand-in: keyword rules, not a language model (set SKEIN_MODEL)");
}

/** Reads it once: what is wrong with it is reported before anybody is served. */
async function openStore(name: string): Promise<DurableStore> {
  const store = /^postgres(?:ql)?:/.test(name) ? postgresStore(name) : sqliteStore(name);
  try {
    await store.list({ limit: 1 });
    return store;
  } catch (error) {
    await store.close();
    // The address of a database may have a password.
    throw new ConfigurationError(`The store of --store cannot be opened: ${errorMessage(error)}`, {
      code: "invalid-option",
      cause: error,
    });
  }
}

/** What is served, and how to try it. */
function intro({ url }: Listening, names: readonly string[], { protocols, store }: ServeFlags): string {
  const [first] = names;
  if (first === undefined) return `Serving at ${url}`;
  const has = (protocol: ServedProtocol): boolean => !protocols || protocols.includes(protocol);
  const path = encodeURIComponent(first).replaceAll("'", "%27");
  const native = `curl -N '${url}/runs/${path}' -H 'accept: text/event-stream' -H 'content-type: application/json' -d '{"input":"Hello"}'`;
  const isOpenAi = has("chat-completions") || has("responses");
  return [
    `Serving ${names.join(", ")} at ${url}`,
    ...(has("native") ? [`  try it          ${native}`] : []),
    ...(isOpenAi ? [`  OpenAI clients  base URL ${url}/v1, model ${JSON.stringify(first)}`] : []),
    ...(has("ui-messages") ? [`  useChat         api: "${url}/chat/${path}"`] : []),
    ...(has("ag-ui") ? [`  AG-UI           ${url}/ag-ui/${path}`] : []),
    store === undefined
      ? "Runs are kept in memory; --store runs.db keeps them."
      : `Runs are kept in ${store}.`,
    "Press Ctrl+C to stop.",
  ].join("\n");
}

async function untilSignal(server: SkeinServer, { closed }: Listening): Promise<void> {
  let closing: Promise<void> | undefined;
  const end = (): void => {
    // A second signal: there is no time to wait.
    if (closing) closing = server.close({ drain: 0 });
    else {
      say("closing once the runs under way have ended, or in 10 seconds");
      closing = server.close();
    }
  };
  process.on("SIGINT", end).on("SIGTERM", end);
  await closed;
  await closing;
}

function say(text: string): void {
  process.stderr.write(`skein: ${printable(text)}\n`);
}

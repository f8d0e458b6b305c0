import { ConfigurationError } from "../../errors.ts";
import type http from "node:http";
import { https, type HttpModule } from "./modules.ts";

/** Milliseconds for which a connection is kept without a request: what is between may forget it sooner or later. */
const idleTimeout = 60_000;

/** The most connections to a host that are kept without a request: those of a thousand runs that take turns, and more. */
const mostIdle = 2048;

/** What Node's own global agent is made with. */
const ownTimeout = 5000;

const pools = new Map<string, http.Agent>();

/**
 * The agent that keeps the connections to a host. It follows `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` where Node can (from
 * 22.21 and 24.5), but not to this machine. A program's own `globalAgent` is used as it is.
 */
export function poolOf(module: HttpModule, host: string): http.Agent {
  if (!isOwn(module)) return module.globalAgent;
  const isHere = isThisMachine(host);
  const key = `${module === https} ${isHere}`;
  const pool = pools.get(key) ?? openPool(module, isHere, true);
  pools.set(key, pool);
  return pool;
}

/** An agent for one request, whose connection has served none before. */
export function freshAgent(module: HttpModule, host: string): http.Agent {
  return isOwn(module) ? openPool(module, isThisMachine(host), false) : module.globalAgent;
}

function openPool(module: HttpModule, isHere: boolean, keepAlive: boolean): http.Agent {
  const proxyEnv = isHere ? undefined : environmentOfProxies();
  return new module.Agent({
    keepAlive,
    scheduling: "lifo",
    maxFreeSockets: mostIdle,
    timeout: idleTimeout,
    proxyEnv,
  });
}

/** Whether nobody has replaced the global agent, as programs do that look at requests or lead them elsewhere. */
function isOwn({ Agent, globalAgent }: HttpModule): boolean {
  const { scheduling, timeout }: http.AgentOptions = Reflect.get(globalAgent, "options") ?? {};
  return (
    Object.getPrototypeOf(globalAgent) === Agent.prototype && scheduling === "lifo" && timeout === ownTimeout
  );
}

function isThisMachine(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(?:\.\d+){3}$/.test(host);
}

const proxyVariables = ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY"];

/**
 * The environment, whose proxies are addresses: Node's own error would show one that is not, with its password.
 * @throws ConfigurationError (`invalid-proxy`)
 */
function environmentOfProxies(): typeof process.env {
  for (const name of proxyVariables) {
    const value = process.env[name];
    if (!value || /^https?:$/.test(URL.parse(value)?.protocol ?? "")) continue;
    throw new ConfigurationError(
      `The environment variable ${name} is not the address of a proxy. Write http://user:password@host:port, the user and the password encoded as in a URL ("/" is "%2F").`,
      { code: "invalid-proxy", data: { variable: name } },
    );
  }
  return process.env;
}

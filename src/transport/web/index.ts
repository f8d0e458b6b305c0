import { ConfigurationError } from "../../errors.ts";
import { postByFetch, warmByFetch } from "../wire/fetch.ts";
import type { HttpAgent, WireAnswer, WireExchange } from "../wire/types.ts";

/**
 * Posts by `globalThis.fetch`, on runtimes that have nothing better.
 * @throws ConfigurationError for an `agent`, which these runtimes do not have.
 */
export async function post(request: WireExchange, agent?: HttpAgent): Promise<WireAnswer | undefined> {
  assertNoAgent(agent);
  return postByFetch(globalThis.fetch, request);
}

/**
 * Connects to the server of a `url`.
 * @returns Whether it answered.
 * @throws ConfigurationError for an `agent`.
 */
export async function warm(url: string, agent?: HttpAgent): Promise<boolean> {
  assertNoAgent(agent);
  return warmByFetch(globalThis.fetch, url);
}

function assertNoAgent(agent: HttpAgent | undefined): void {
  if (agent === undefined) return;
  throw new ConfigurationError(
    "The option agent is for Node. On this runtime, give a fetch that connects as you need it.",
    { code: "no-agents" },
  );
}

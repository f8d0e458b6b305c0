import { ConfigurationError } from "../../errors.ts";
import { postByFetch } from "../wire/fetch.ts";
import type { HttpAgent, WireAnswer, WireRequest } from "../wire/types.ts";

/**
 * Posts by `globalThis.fetch`, on runtimes that have nothing better.
 * @throws ConfigurationError for an `agent`, which these runtimes do not have.
 */
export async function post(request: WireRequest, agent?: HttpAgent): Promise<WireAnswer | undefined> {
  if (agent === undefined) return postByFetch(globalThis.fetch, request);
  throw new ConfigurationError(
    "The option agent is for Node. On this runtime, give a fetch that connects as you need it.",
    { code: "no-agents" },
  );
}

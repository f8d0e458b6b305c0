import { Agent } from "node:http";
import { ConfigurationError } from "../../errors.ts";
import { postByFetch } from "../wire/fetch.ts";
import type { HttpAgent, WireAnswer, WireRequest } from "../wire/types.ts";
import { postByNode } from "./exchange.ts";
import { isFetchUntouched } from "./native-fetch.ts";

/**
 * Posts by `node:http`, or by `globalThis.fetch` where a program has put something in its place or watches it.
 * @param agent - Makes the connections.
 * @throws ConfigurationError for an agent that is none.
 */
export async function post(request: WireRequest, agent?: HttpAgent): Promise<WireAnswer | undefined> {
  if (agent === undefined)
    return isFetchUntouched() ? postByNode(request) : postByFetch(globalThis.fetch, request);
  if (agent instanceof Agent) return postByNode(request, agent);
  throw new ConfigurationError("The option agent must be an Agent of node:http or node:https.", {
    code: "invalid-option",
    data: { option: "agent" },
  });
}

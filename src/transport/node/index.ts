import type { Agent } from "node:http";
import { ConfigurationError } from "../../errors.ts";
import { postByFetch } from "../wire/fetch.ts";
import type { HttpAgent, WireAnswer, WireExchange } from "../wire/types.ts";
import { postByNode, warmByNode } from "./exchange.ts";
import { http } from "./modules.ts";
import { isFetchUntouched } from "./native-fetch.ts";

/**
 * Posts by `node:http`, or by `globalThis.fetch` where a program has put something in its place or watches it.
 * @param agent - Makes the connections.
 * @throws ConfigurationError for an agent that is none.
 */
export async function post(request: WireExchange, agent?: HttpAgent): Promise<WireAnswer | undefined> {
  const own = agentOf(agent);
  return own || isFetchUntouched() ? postByNode(request, own) : postByFetch(globalThis.fetch, request);
}

/**
 * Connects to the server of a `url`.
 * @returns Whether it answered; `false` where a program has put something in the place of `fetch`, which sees requests alone.
 * @throws ConfigurationError for an agent that is none.
 */
export async function warm(url: string, agent?: HttpAgent): Promise<boolean> {
  const own = agentOf(agent);
  return (own || isFetchUntouched()) && warmByNode(url, own);
}

function agentOf(agent: HttpAgent | undefined): Agent | undefined {
  if (agent === undefined || agent instanceof http.Agent) return agent;
  throw new ConfigurationError("The option agent must be an Agent of node:http or node:https.", {
    code: "invalid-option",
    data: { option: "agent" },
  });
}

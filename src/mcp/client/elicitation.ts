import type { Client, ElicitRequest, ElicitResult } from "@modelcontextprotocol/client";
import type { ServerScope } from "./scope.ts";

/** Answers a server that wants to ask the user. */
export type ElicitationOptions = (
  params: ElicitRequest["params"],
  scope: ServerScope,
) => ElicitResult | Promise<ElicitResult>;

/** Answers the server's questions to the user. */
export function serveElicitation(client: Client, elicitation: ElicitationOptions, scope: ServerScope): void {
  client.setRequestHandler("elicitation/create", async ({ params }) => elicitation(params, scope));
}

import type { Client, CreateMessageRequest, CreateMessageResult } from "@modelcontextprotocol/client";
import type { ServerScope } from "./scope.ts";

/** Answers a server that wants a model to say something. */
export type SamplingOptions = (
  params: CreateMessageRequest["params"],
  scope: ServerScope,
) => CreateMessageResult | Promise<CreateMessageResult>;

/** Answers the server's wishes for a model's words. */
export function serveSampling(client: Client, sampling: SamplingOptions, scope: ServerScope): void {
  client.setRequestHandler("sampling/createMessage", async ({ params }) => sampling(params, scope));
}

import { ConfigurationError } from "../../../errors.ts";
import type { ToolContext } from "../../../tool/tool-context.ts";
import type { McpRequest } from "./types.ts";

/** The requests that are being served, by the id of the call that each is. */
const requests = new Map<string, McpRequest>();

/** Lets tools find a request until the function that comes back is called. */
export function rememberRequest(request: McpRequest & { readonly id: string }): () => void {
  requests.set(request.id, request);
  return () => {
    if (requests.get(request.id) === request) requests.delete(request.id);
  };
}

/**
 * The MCP request that a tool is called by, and the client behind it: to ask its user, its model, to write to its log.
 * ```ts
 * const answer = await mcpRequest(context).elicit("confirm", { message: "Really?", schema });
 * ```
 * @throws ConfigurationError (`no-mcp-request`) for a call that does not come from an MCP client.
 */
export function mcpRequest(context: Pick<ToolContext, "toolCallId">): McpRequest {
  // A tool that another one calls has that one's id in front of its own.
  const [id = ""] = context.toolCallId.split("/");
  const request = requests.get(id);
  if (request) return request;
  throw new ConfigurationError("This call does not come from an MCP client: mcpRequest() has none to give.", {
    code: "no-mcp-request",
  });
}

import { SkeinError } from "../../../errors.ts";

/** What went wrong between us and a server of the Model Context Protocol. */
export type McpErrorCode =
  /** The server could not be started or reached, or did not answer the handshake. */
  | "mcp-connect"
  /** The connection ended while a request was under way: it may or may not have taken effect. */
  | "mcp-closed"
  /** The server answered with an error, or with something that the protocol does not allow. */
  | "mcp-request"
  /** The server requires authorization, which the client could not provide. */
  | "mcp-auth"
  /** The server did not answer in time. */
  | "mcp-timeout";

/** A server of the Model Context Protocol that failed. `data.server` is its name. */
export class McpError extends SkeinError {
  static override readonly name: string = "McpError";

  declare readonly code: McpErrorCode;
}

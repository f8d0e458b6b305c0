import { errorMessage } from "../../util/error-message.ts";
import type { OpenConnection } from "./connection.ts";
import { McpError } from "./errors.ts";
import { lastWords } from "./last-words.ts";
import type { McpClientOptions } from "./types.ts";

/** How many characters of a program's last words stand in the error of a call. */
const fewWords = 1_000;

/** A signal that is aborted after so many milliseconds, or with the other one. */
export function withDeadline(timeout: number, signal?: AbortSignal): AbortSignal {
  // Timers hold 32-bit delays; longer ones would fire at once.
  const late = AbortSignal.timeout(Math.min(timeout, 0x7fffffff));
  return signal ? AbortSignal.any([late, signal]) : late;
}

/** What to tell of a request that failed on an open connection. */
export function failed(
  error: unknown,
  open: OpenConnection,
  options: McpClientOptions,
  server: string,
): McpError {
  const { sdk, isClosed } = open;
  const data = { server };
  if (isClosed) {
    const words = open.ending ? lastWords(open.ending(), options, fewWords) : "";
    return new McpError(
      `the MCP server "${server}" ended the connection before it answered; the call may or may not have taken effect.${words}`,
      { code: "mcp-closed", data, cause: error },
    );
  }
  if (error instanceof sdk.ProtocolError) {
    return new McpError(`the MCP server "${server}" answered with an error: ${errorMessage(error)}`, {
      code: "mcp-request",
      data: { server, protocolCode: error.code },
      cause: error,
    });
  }
  const isLate = error instanceof DOMException && error.name === "TimeoutError";
  return new McpError(`the request to the MCP server "${server}" failed: ${errorMessage(error)}`, {
    code: isLate ? "mcp-timeout" : "mcp-request",
    data,
    cause: error,
  });
}

import { errorMessage } from "../../../base/util/error-message.ts";
import { isCutOff } from "./cut-off.ts";
import { cleanText } from "../../../base/util/clean-text.ts";
import type { OpenConnection } from "./connection.ts";
import { McpError } from "./errors.ts";
import { lastWords } from "./last-words.ts";
import { longestError } from "./limits.ts";
import type { ConnectionSecrets } from "./secrets.ts";

/** How many characters of a program's last words stand in the error of a call. */
const fewWords = 1_000;

/** What to report of a request that failed on an open connection; one that only reads has no effect. */
export function failed(
  error: unknown,
  open: OpenConnection,
  secrets: ConnectionSecrets,
  server: string,
  onlyReads = false,
): McpError {
  const { sdk, isClosed } = open;
  const data = { server };
  const cause = secrets.cause(error);
  const effect = onlyReads ? "" : "; the call may or may not have taken effect";
  const words = cleanText(secrets.words(errorMessage(error)), longestError);
  if (isClosed) {
    const ending = open.ending ? lastWords(open.ending(), secrets, fewWords) : "";
    return new McpError(
      `the MCP server "${server}" ended the connection before it answered${effect}.${ending}`,
      { code: "mcp-closed", data, cause },
    );
  }
  if (isCutOff(sdk, error)) {
    return new McpError(
      `the connection to the MCP server "${server}" failed before it answered (${words})${effect}.`,
      { code: "mcp-closed", data, cause },
    );
  }
  if (error instanceof sdk.ProtocolError) {
    return new McpError(`the MCP server "${server}" answered with an error: ${words}`, {
      code: "mcp-request",
      data: { server, protocolCode: error.code },
      cause,
    });
  }
  const isLate = error instanceof DOMException && error.name === "TimeoutError";
  return new McpError(`the request to the MCP server "${server}" failed: ${words}`, {
    code: isLate ? "mcp-timeout" : "mcp-request",
    data,
    cause,
  });
}

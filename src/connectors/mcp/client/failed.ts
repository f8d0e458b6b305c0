import { errorMessage } from "../../../base/util/error-message.ts";
import { isCutOff } from "./cut-off.ts";
import { isPlainObject } from "../../../base/util/json.ts";
import { cleanText } from "../../../base/util/clean-text.ts";
import type { OpenConnection } from "./connection.ts";
import { McpError } from "./errors.ts";
import { lastWords } from "./last-words.ts";
import { longestError } from "./limits.ts";
import type { Sdk } from "./sdk.ts";
import type { ConnectionSecrets } from "./secrets.ts";

/** How many characters of a program's last words stand in the error of a call. */
const fewWords = 1_000;

/** The most places of an answer that are named. */
const mostPlaces = 3;

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
  const words = cleanText(secrets.words(withoutIssues(errorMessage(error), sdk, error)), longestError);
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

/** What the SDK's validator says of an answer is JSON for programs, which have it in the cause: where it is wrong is enough. */
function withoutIssues(words: string, { SdkError, SdkErrorCode }: Sdk, error: unknown): string {
  if (!(error instanceof SdkError) || error.code !== SdkErrorCode.InvalidResult) return words;
  const [list] = /\[\s*\{[^]*\]\s*$/.exec(words) ?? [];
  if (list === undefined) return words;
  const places = new Set(placesOf(list).slice(0, mostPlaces));
  const where = places.size > 0 ? ` at ${[...places].join(", ")}` : "";
  return `its answer is not what the protocol allows${where}`;
}

/** Where the issues of a validator are. */
function placesOf(json: string): readonly string[] {
  try {
    const issues: unknown = JSON.parse(json);
    return Array.isArray(issues)
      ? issues.flatMap((issue: unknown) =>
          isPlainObject(issue) && Array.isArray(issue["path"]) ? [issue["path"].join(".")] : [],
        )
      : [];
  } catch {
    return [];
  }
}

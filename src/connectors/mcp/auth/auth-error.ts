import { McpError } from "../client/errors.ts";
import { redactor } from "../../../model/secrets.ts";
import { errorMessage } from "../../../base/util/error-message.ts";
import type { AuthorizationCodeAuth, ClientCredentialsAuth } from "./types.ts";

/** The most characters of what others say of the failure. */
const mostChars = 300;

/**
 * What may be reported of a failed authorization. The error itself is not its cause: what an authorization server answers may
 * hold anything.
 */
export function authError(
  server: URL,
  error: unknown,
  { clientSecret = "" }: AuthorizationCodeAuth | ClientCredentialsAuth,
): McpError {
  const redact = redactor({ secret: clientSecret });
  const words = redact(withoutBodies(errorMessage(error))).slice(0, mostChars);
  const code =
    error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
  const detail = code !== undefined && !words.includes(code) ? `${code}: ${words}` : words;
  return new McpError(`${server.origin} could not be authorized with: ${detail}`, {
    code: "mcp-auth",
    data: { server: server.origin, ...(code !== undefined && { reason: code }) },
  });
}

/** The SDK quotes answers that it cannot read, as a whole. */
function withoutBodies(message: string): string {
  return message.replace(/\s*Raw body:.*$/s, "");
}

import type { Sdk } from "./sdk.ts";
import { McpError } from "./errors.ts";

/** Marks the reply of our own to a request whose stream of answers ended without one. A class, so that nobody else can send it. */
export class CutOff {
  readonly reason = "cut off";
}

/** Codes of systems and runtimes: ECONNRESET, UND_ERR_SOCKET, ConnectionClosed. */
const systemCode = /^(?:E[A-Z]{3,}|UND_ERR_\w+|Connection\w+)$/;

/**
 * Whether a request over HTTP ended without an answer, because its connection did: whether the server has taken it is unknown.
 * Runtimes throw a TypeError, or an error of the system with its code; half an answer is not JSON.
 */
export function isCutOff(sdk: Sdk, error: unknown): boolean {
  if (error instanceof sdk.ProtocolError) return error.data instanceof CutOff;
  if (error instanceof sdk.SdkError || error instanceof McpError || error instanceof DOMException)
    return false;
  return (
    error instanceof TypeError ||
    error instanceof SyntaxError ||
    (error instanceof Error && "code" in error && systemCode.test(String(error.code)))
  );
}

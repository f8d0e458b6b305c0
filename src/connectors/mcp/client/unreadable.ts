import type { JSONRPCErrorResponse } from "@modelcontextprotocol/client";
import { isPlainObject } from "../../../base/util/json.ts";

/** JSON-RPC 2.0: the message is not a valid request or response. */
const invalidMessage = -32_600;

/** Ends the request whose response cannot be read, so that nothing waits for it. */
export function replyToUnreadable(message: unknown): JSONRPCErrorResponse | undefined {
  if (!isPlainObject(message) || "method" in message) return undefined;
  const { id } = message;
  if (typeof id !== "number" && typeof id !== "string") return undefined;
  return errorReply(id, "the server's answer is not valid JSON-RPC");
}

/** As `replyToUnreadable`, for an answer of which only the first and the last characters are known. */
export function replyToTooLong(head: string, tail: string, size: string): JSONRPCErrorResponse | undefined {
  const idMatch =
    /^\s*\{(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d{1,15})\s*,/.exec(head) ??
    /"id"\s*:\s*(\d{1,15})\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/.exec(tail);
  if (!idMatch) return undefined;
  return errorReply(Number(idMatch[1]), `the server's answer has ${size}`);
}

/** The answer that a request failed. */
export function errorReply(id: string | number, message: string, data?: unknown): JSONRPCErrorResponse {
  return {
    jsonrpc: "2.0",
    id,
    error: { code: invalidMessage, message, ...(data !== undefined && { data }) },
  };
}

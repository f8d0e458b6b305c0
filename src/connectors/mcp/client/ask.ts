import { isCutOff } from "./cut-off.ts";
import type { Connection, OpenConnection } from "./connection.ts";
import { failed } from "./failed.ts";
import { noDeadline, withDeadline } from "./limits.ts";

/** How a request is made. */
export interface AskOptions {
  readonly connection: Connection;
  /** The server's name. */
  readonly server: string;
  /** Milliseconds that the request may take once there is a connection; none where the caller has a limit of its own. */
  readonly timeout?: number;
  /** The caller's signal, whose reason is thrown as it is. */
  readonly caller?: AbortSignal | undefined;
  /** Whether making the request twice does no harm. */
  readonly isHarmless: boolean;
  /** Whether it asks for what the server has, and calls nothing. */
  readonly onlyReads?: boolean;
  /** Whether to give up at once where an attempt to connect has just failed. */
  readonly now?: boolean;
}

/**
 * Makes a request. A connection that ends meanwhile is made again, but the request only if that does no harm, or if the
 * server has not taken it: once for each of these reasons.
 * @throws McpError for what went wrong; the caller's reason.
 */
export async function ask<T>(
  request: (open: OpenConnection, signal: AbortSignal) => Promise<T>,
  { connection, server, timeout = noDeadline, caller, isHarmless, onlyReads, now }: AskOptions,
): Promise<T> {
  // A server that has started again may have forgotten the session, too.
  const repeated = new Set<string>();
  for (;;) {
    const open = await connection.open(caller, now);
    const signal = timeout === noDeadline && caller ? caller : withDeadline(timeout, caller);
    try {
      return await request(open, signal);
    } catch (error) {
      caller?.throwIfAborted();
      const isForgotten = isSessionForgotten(open, error);
      if (isForgotten) await open.close();
      const why = isForgotten ? "forgotten" : "lost";
      const isLost = open.isClosed || isCutOff(open.sdk, error);
      const mayRepeat = isLost && !repeated.has(why) && !open.isEnded && !signal.aborted;
      repeated.add(why);
      if (mayRepeat && (isForgotten || isHarmless)) continue;
      const reason: unknown = signal.aborted ? signal.reason : error;
      throw failed(reason, open, connection.secrets, server, onlyReads);
    }
  }
}

/** What the SDKs' examples say with 400, alone or as the message of a JSON-RPC error. */
const unknownSession =
  /^[^]{0,100}\bbad request: (?:(?:no valid|invalid|missing|unknown) session id(?: provided)?|session id (?:is )?required)\b[^]{0,100}$/i;

/**
 * A server that knows nothing of a session has not taken the request: 404 (Streamable HTTP, "Session Management"), or what
 * the examples of the SDKs answer. Other words of a session may come after the call.
 */
function isSessionForgotten({ sdk, client }: OpenConnection, error: unknown): boolean {
  if (!(error instanceof sdk.SdkHttpError) || client.transport?.sessionId === undefined) return false;
  const { status, text } = error.data;
  return status === 404 || (status === 400 && unknownSession.test(String(text)));
}

import type { Progress, Tool as RemoteTool } from "@modelcontextprotocol/client";
import type { ToolContext, ToolReturn } from "../../tool/types.ts";
import { isPlainObject } from "../../util/json.ts";
import { noDeadline } from "./limits.ts";
import type { Connection, OpenConnection } from "./connection.ts";
import { toReturn } from "./content.ts";
import { failed } from "./failed.ts";
import type { ServerScope } from "./scope.ts";
import type { McpClientOptions } from "./types.ts";

/** How many reports of progress of one call are passed on. */
const mostProgress = 1_000;

/**
 * Calls a tool of the server. A connection that ends meanwhile is made again, but the call only if the server says that
 * calling the tool twice does no harm, or if it has not taken it.
 * @throws McpError in the words that the model is told; the signal's reason.
 */
export async function callRemote(
  connection: Connection,
  tool: RemoteTool,
  input: unknown,
  context: ToolContext,
  options: McpClientOptions,
  scope: ServerScope,
): Promise<ToolReturn> {
  const { signal } = context;
  for (let attempt = 1; ; attempt++) {
    const open = await connection.open(signal);
    try {
      return toReturn(await request(open, tool, input, context), options.maxResultChars);
    } catch (error) {
      signal.throwIfAborted();
      const isForgotten = isSessionForgotten(open, error);
      if (isForgotten) await open.close().catch(() => undefined);
      if (open.isClosed && attempt === 1 && (isForgotten || isHarmless(tool))) continue;
      throw failed(error, open, options, scope.server);
    }
  }
}

function request(
  { client }: OpenConnection,
  tool: RemoteTool,
  input: unknown,
  context: ToolContext,
): ReturnType<OpenConnection["client"]["callTool"]> {
  let reports = 0;
  const onprogress = (report: Progress): void => {
    if (++reports <= mostProgress) context.progress(report);
  };
  return client.callTool(
    { name: tool.name, arguments: isPlainObject(input) ? input : {} },
    { signal: context.signal, onprogress, timeout: noDeadline },
  );
}

function isHarmless({ annotations }: RemoteTool): boolean {
  return annotations?.readOnlyHint === true || annotations?.idempotentHint === true;
}

/**
 * A server that knows nothing of a session has not taken the call: 404 (Streamable HTTP, "Session Management"), or what the
 * examples of the SDKs answer.
 */
function isSessionForgotten({ sdk, client }: OpenConnection, error: unknown): boolean {
  if (!(error instanceof sdk.SdkHttpError) || client.transport?.sessionId === undefined) return false;
  const { status, text } = error.data;
  return status === 404 || (status === 400 && /session/i.test(String(text)));
}

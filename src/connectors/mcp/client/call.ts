import type { Progress, Tool as RemoteTool } from "@modelcontextprotocol/client";
import type { ToolContext } from "../../../tool/tool-context.ts";
import { traceFields } from "../../../tool/trace-fields.ts";
import type { ToolReturn } from "../../../tool/types.ts";
import type * as Content from "./content.ts";
import { isPlainObject } from "../../../base/util/json.ts";
import { pageOf } from "./app-tools.ts";
import { ask } from "./ask.ts";
import { noDeadline } from "./limits.ts";
import type { Connection, OpenConnection } from "./connection.ts";
import type { ServerScope } from "./scope.ts";
import type { McpClientOptions } from "./types.ts";

/** How many reports of progress of one call are passed on. */
const mostProgress = 1_000;

let content: typeof Content | undefined;

/**
 * Calls a tool of the server.
 * @throws McpError with the message for the model; the signal's reason.
 */
export function callRemote(
  connection: Connection,
  tool: RemoteTool,
  input: unknown,
  context: ToolContext,
  options: McpClientOptions,
  { server }: ServerScope,
): Promise<ToolReturn> {
  const { readOnlyHint, idempotentHint } = tool.annotations ?? {};
  const hasApp = options.apps !== false && pageOf(tool) !== undefined;
  return ask(
    async (open) => {
      const answer = await request(open, tool, input, context);
      // Kept: importing again costs more than what it does.
      content ??= await import("./content.ts");
      return content.toReturn(answer, options.maxResultChars, hasApp);
    },
    {
      connection,
      server,
      caller: context.signal,
      isHarmless: readOnlyHint === true || idempotentHint === true,
    },
  );
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
  const fields = traceFields();
  return client.callTool(
    {
      name: tool.name,
      arguments: isPlainObject(input) ? input : {},
      ...(fields && { _meta: { ...fields } }),
    },
    { signal: context.signal, onprogress, timeout: noDeadline },
  );
}

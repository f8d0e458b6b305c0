import type { NestedRequest } from "../../executor/types.ts";
import type { PendingCall } from "../../message/run-state.ts";
import { parseArguments } from "../../schema/parse-arguments.ts";
import type { Schema } from "../../schema/types.ts";

const anything: Schema = { jsonSchema: {}, validate: (value) => ({ ok: true, value }) };

/** The requests for decisions on calls of which only the texts are there. */
export function requestsOf(calls: readonly PendingCall[]): Promise<NestedRequest[]> {
  return Promise.all(
    calls
      .filter(({ approvalId }) => approvalId !== undefined)
      .map(async ({ toolCallId, toolName, arguments: text, approvalId = "", agent = "" }) => {
        const parsed = await parseArguments(text, anything);
        const toolCall = { toolCallId, toolName, arguments: text };
        return { approvalId, toolCall, input: parsed.ok ? parsed.value : text, agent };
      }),
  );
}

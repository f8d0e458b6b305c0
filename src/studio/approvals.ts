import { isPlainObject } from "../base/util/json.ts";
import { sessionOfRun } from "./chat-runs.ts";
import type { RunHandle } from "../durable/types.ts";
import type { Library } from "./library.ts";
import type { Approval } from "./records.ts";
import { waitsHere } from "./ring.ts";
import type { RunRecord } from "./run-record.ts";
import { endWaiting, settleCalls } from "./settle-calls.ts";

/**
 * The calls of all runs of the chat and of a store that wait for a person's decision, those that wait longest first.
 * @param handleOf - The run of a record.
 */
export async function listApprovals(
  library: Library,
  handleOf: (record: RunRecord) => RunHandle,
): Promise<readonly Approval[]> {
  const paused = [...library.ring.all].filter(waitsHere);
  const approvals = await Promise.all(paused.map((record) => approvalsOf(record, library, handleOf(record))));
  return approvals.flat();
}

async function approvalsOf(
  record: RunRecord,
  library: Library,
  handle: RunHandle,
): Promise<readonly Approval[]> {
  const state = await handle.state();
  // One that another message has taken the place of is not executed again.
  if (state.status === "cancelled" || state.status === "failed") {
    record.status = state.status;
    settleCalls(record, state.messages, ({ parent }) => parent === undefined);
    endWaiting(record);
    library.ring.changed(record);
  }
  if (state.status !== "paused") return [];
  const redact = library.redact();
  const session = record.source === "store" ? undefined : sessionOfRun(record.id);
  const wait = record.steps.findLast(({ kind }) => kind === "wait");
  return state.pending.flatMap(
    ({ approvalId, toolCallId, toolName, arguments: text, input, agent }): Approval[] => {
      if (approvalId === undefined) return [];
      const caller = agent ?? wait?.agent ?? record.agent;
      const tool = record.tools.get(caller)?.find(({ name }) => name === toolName);
      const view = library.toolOf(caller, toolName);
      return [
        {
          runId: record.id,
          ...(record.source === "store" && { isStored: true }),
          ...(session !== undefined && { session }),
          approvalId,
          toolCallId,
          toolName,
          agent: caller,
          arguments: text,
          // Shown whole: a person decides on what the tool gets.
          input: isPlainObject(input) ? input : {},
          ...(tool?.description !== undefined && { description: tool.description }),
          ...(tool || view ? { schema: tool?.inputSchema ?? view?.schema ?? {} } : {}),
          since: wait?.start ?? record.startedAt,
          question: redact.text(record.question.slice(0, 240)),
        },
      ];
    },
  );
}

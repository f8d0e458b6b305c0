import { isPlainObject } from "../base/util/json.ts";
import { sessionOfRun } from "./chat-runs.ts";
import type { SkeinServer } from "../server/types.ts";
import type { Library } from "./library.ts";
import type { Approval } from "./records.ts";
import type { RunRecord } from "./run-record.ts";

/** The calls of all runs of the chat that wait for a person's decision, those that wait longest first. */
export async function listApprovals(library: Library, served: SkeinServer): Promise<readonly Approval[]> {
  const paused = [...library.ring.all].filter(
    ({ status, id }) => status === "paused" && sessionOfRun(id) !== undefined,
  );
  const approvals = await Promise.all(paused.map((record) => approvalsOf(record, library, served)));
  return approvals.flat();
}

async function approvalsOf(
  record: RunRecord,
  library: Library,
  served: SkeinServer,
): Promise<readonly Approval[]> {
  const state = await served.runs.get(record.id).state();
  // One that another message has taken the place of is not executed again.
  if (state.status === "cancelled" || state.status === "failed") {
    record.status = state.status;
    library.ring.changed(record);
  }
  if (state.status !== "paused") return [];
  const redact = library.redact();
  const session = sessionOfRun(record.id);
  const wait = record.steps.findLast(({ kind }) => kind === "wait");
  return state.pending.flatMap(
    ({ approvalId, toolCallId, toolName, arguments: text, input, agent }): Approval[] => {
      if (approvalId === undefined) return [];
      const caller = agent ?? wait?.agent ?? record.agent;
      const tool = record.tools.get(caller)?.find(({ name }) => name === toolName);
      return [
        {
          runId: record.id,
          ...(session !== undefined && { session }),
          approvalId,
          toolCallId,
          toolName,
          agent: caller,
          arguments: text,
          // Shown whole: a person decides on what the tool gets.
          input: isPlainObject(input) ? input : {},
          ...(tool?.description !== undefined && { description: tool.description }),
          ...(tool && { schema: tool.inputSchema }),
          since: wait?.start ?? record.startedAt,
          question: redact.text(record.question.slice(0, 240)),
        },
      ];
    },
  );
}

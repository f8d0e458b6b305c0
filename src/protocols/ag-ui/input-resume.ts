import type { ApprovalDecision } from "../../message/run-state.ts";
import type { ExternalResult } from "../../run/types.ts";
import type { InputObject } from "../kit/input-object.ts";
import { editHints } from "../kit/edited-arguments.ts";
import { resultPrefix } from "./interrupts.ts";
import { limits } from "./limits.ts";

/** What the entries of `resume` say. */
export interface Resumed {
  readonly decisions: readonly ApprovalDecision[];
  readonly results: readonly ExternalResult[];
}

/** Reads the answers to interrupts. What is abandoned is denied: nothing is done that nobody has allowed. */
export function readResume(input: InputObject): Resumed {
  const entries = input.optionalObjects("resume", limits.resume).map(readEntry);
  return {
    decisions: entries.flatMap((entry) => ("approvalId" in entry ? [entry] : [])),
    results: entries.flatMap((entry) => ("toolCallId" in entry ? [entry] : [])),
  };
}

function readEntry(entry: InputObject): ApprovalDecision | ExternalResult {
  entry.assertOnly(["interruptId", "status", "payload", "metadata"], editHints("payload.editedArgs"));
  const id = entry.id("interruptId");
  const isAnswered = entry.choice("status", ["resolved", "cancelled"]) === "resolved";
  if (id.startsWith(resultPrefix)) {
    const toolCallId = id.slice(resultPrefix.length);
    if (isAnswered) return { toolCallId, content: entry.optionalJson("payload") ?? null };
    return { toolCallId, content: "The user gave no answer.", isError: true };
  }
  if (isAnswered) return readDecision(entry, id);
  return { approvalId: id, decision: "deny", reason: "The request was cancelled without a decision." };
}

/** `{ approved, reason?, editedArgs? }`, or a truth value alone. */
function readDecision(entry: InputObject, approvalId: string): ApprovalDecision {
  const payload = entry.get("payload");
  if (typeof payload === "boolean") return { approvalId, decision: payload ? "approve" : "deny" };
  const answer = entry.object("payload");
  answer.assertOnly(["approved", "reason", "editedArgs"], editHints("editedArgs"));
  const approved = answer.boolean("approved");
  const reason = answer.optionalText("reason");
  const edited = answer.objectIfPresent("editedArgs")?.toJson();
  return {
    approvalId,
    decision: approved ? "approve" : "deny",
    ...(reason !== undefined && { reason }),
    ...(approved && edited && { arguments: edited }),
  };
}

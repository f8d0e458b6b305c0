import type { ApprovalDecision } from "../../message/run-state.ts";
import type { ExternalResult } from "../../run/types.ts";
import {
  field,
  idField,
  type InputObject,
  jsonField,
  jsonObjectField,
  limits,
  listField,
  objectField,
  pathOf,
  textField,
  wrong,
} from "./input-checks.ts";
import { interruptKinds } from "./interrupts.ts";

/** What the entries of `resume` say. */
export interface Resumed {
  readonly decisions: readonly ApprovalDecision[];
  readonly results: readonly ExternalResult[];
}

/** Reads the answers to interrupts. What is abandoned is denied: nothing is done that nobody has allowed. */
export function readResume(input: InputObject): Resumed {
  const entries = listField(input, "resume", limits.resume).map(readEntry);
  return {
    decisions: entries.flatMap((entry) => ("approvalId" in entry ? [entry] : [])),
    results: entries.flatMap((entry) => ("toolCallId" in entry ? [entry] : [])),
  };
}

/** A tool that waits for something else needs no answer. */
type Entry = ApprovalDecision | ExternalResult | { readonly type: "nothing" };

function readEntry(entry: InputObject): Entry {
  const id = idField(entry, "interruptId");
  const status = textField(entry, "status", limits.name);
  if (status !== "resolved" && status !== "cancelled")
    throw wrong(pathOf(entry, "status"), 'must be "resolved" or "cancelled"');
  const isAnswered = status === "resolved";
  if (id.startsWith(interruptKinds.wait)) return { type: "nothing" };
  if (id.startsWith(interruptKinds.result)) {
    const toolCallId = id.slice(interruptKinds.result.length);
    if (isAnswered) return { toolCallId, content: jsonField(entry, "payload") ?? null };
    return { toolCallId, content: "The user gave no answer.", isError: true };
  }
  if (isAnswered) return readDecision(entry, id);
  return { approvalId: id, decision: "deny", reason: "The request was cancelled without a decision." };
}

/** `{ approved, reason?, editedArgs? }`, or a truth value alone. */
function readDecision(entry: InputObject, approvalId: string): ApprovalDecision {
  const payload = field(entry, "payload");
  if (typeof payload === "boolean") return { approvalId, decision: payload ? "approve" : "deny" };
  const answer = objectField(entry, "payload");
  const approved = field(answer, "approved");
  if (typeof approved !== "boolean") throw wrong(pathOf(answer, "approved"), "must be true or false");
  const reason = textField(answer, "reason");
  const edited = jsonObjectField(answer, "editedArgs");
  return {
    approvalId,
    decision: approved ? "approve" : "deny",
    ...(reason !== undefined && { reason }),
    ...(approved && edited && { arguments: edited }),
  };
}

import type { ToolResult } from "../message/messages.ts";
import type { ActiveRun } from "./active-run.ts";

/** Appends the answers to calls, in their order; a call that has one is no longer pending. */
export function appendResults(run: ActiveRun, results: readonly ToolResult[]): void {
  const answered = new Set<string>();
  for (const result of results) {
    run.messages.push({ role: "tool", result });
    answered.add(result.toolCallId);
    if (result.outcome === "not-executed") continue;
    run.counts.toolCalls++;
    if (result.isError) run.counts.toolErrors++;
  }
  if (answered.size > 0) run.pending = run.pending.filter(({ toolCallId }) => !answered.has(toolCallId));
}

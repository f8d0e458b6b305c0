import type { ToolResult } from "../../message/messages.ts";
import type { ActiveRun } from "../state/active-run.ts";

/** Appends the answers to calls, in their order; a call that has one is no longer pending. */
export function appendResults(run: ActiveRun, results: readonly ToolResult[]): void {
  run.conversation.answer(results);
  for (const result of results) {
    if (result.outcome === "not-executed") continue;
    run.counts.toolCalls++;
    if (result.isError) run.counts.toolErrors++;
  }
}

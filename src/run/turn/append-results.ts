import type { ToolResult } from "../../message/messages.ts";
import type { ActiveRun } from "../state/active-run.ts";

/** Appends the results of calls, in their order; a call that has one is no longer pending. */
export function appendResults(run: ActiveRun, results: readonly ToolResult[]): void {
  run.conversation.answer(results);
  run.meters.addResults(results);
}

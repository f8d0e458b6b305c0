import type { ToolCall } from "../message/messages.ts";
import { mapLimit } from "../util/map-limit.ts";
import { executeCall } from "./execute-call.ts";
import type { CallOutcome, ExecutionScope } from "./types.ts";

const defaultConcurrency = 8;

/**
 * Executes calls side by side, at most `scope.concurrency` at once; the answers are in call order. Never rejects.
 * @param execute what is done with each call, `executeCall` by default; must not reject.
 */
export function executeBatch(
  calls: readonly ToolCall[],
  scope: ExecutionScope,
  execute: (call: ToolCall, scope: ExecutionScope) => Promise<CallOutcome> = executeCall,
): Promise<readonly CallOutcome[]> {
  return mapLimit(calls, scope.concurrency ?? defaultConcurrency, (call) => execute(call, scope));
}

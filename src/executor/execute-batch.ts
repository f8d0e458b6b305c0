import type { ToolCall } from "../message/messages.ts";
import { mapLimit } from "../util/map-limit.ts";
import { executeCall } from "./execute-call.ts";
import type { BatchOutcome, CallOutcome, ExecutionScope } from "./types.ts";

const defaultConcurrency = 8;

/**
 * Executes calls side by side, at most `scope.concurrency` at once; the answers are in call order. Calls that refer to the
 * results of others wait for those. Never rejects.
 * @param execute what is done with each call, `executeCall` by default; must not reject.
 */
export function executeBatch(
  calls: readonly ToolCall[],
  scope: ExecutionScope,
  execute: (call: ToolCall, scope: ExecutionScope) => Promise<CallOutcome> = executeCall,
): Promise<readonly BatchOutcome[]> {
  const concurrency = scope.concurrency ?? defaultConcurrency;
  if (calls.some((call) => call.arguments.includes("$result"))) {
    return import("./execute-in-order.ts").then(({ executeInOrder }) =>
      executeInOrder(calls, scope, execute, concurrency),
    );
  }
  return mapLimit(calls, concurrency, (call) => execute(call, scope));
}

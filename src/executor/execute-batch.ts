import type { ToolCall } from "../message/messages.ts";
import { mapLimit } from "../base/util/map-limit.ts";
import { executeOrLeave } from "./execute-call.ts";
import type { BatchOutcome, ExecutionScope } from "./types.ts";

const defaultConcurrency = 8;

/**
 * Executes calls side by side, at most `scope.concurrency` at once; the answers are in call order. Calls that refer to the
 * results of others wait for those. Never rejects.
 */
export function executeBatch(
  calls: readonly ToolCall[],
  scope: ExecutionScope,
): Promise<readonly BatchOutcome[]> {
  const concurrency = scope.concurrency ?? defaultConcurrency;
  if (calls.some((call) => call.arguments.includes("$result")))
    return scope.features.executeInOrder(calls, scope, concurrency);
  return mapLimit(calls, concurrency, (call) => executeOrLeave(call, scope));
}

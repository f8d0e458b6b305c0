import type { ToolCall } from "../message/messages.ts";
import { mapLimit } from "../util/map-limit.ts";
import { executeCall } from "./execute-call.ts";
import type { ExecutionScope, SettledCall } from "./types.ts";

/** Executes calls side by side, at most `scope.concurrency` at once; the answers are in call order. Never rejects. */
export function executeBatch(
  calls: readonly ToolCall[],
  scope: ExecutionScope,
): Promise<readonly SettledCall[]> {
  return mapLimit(calls, scope.concurrency, (call) => executeCall(call, scope));
}

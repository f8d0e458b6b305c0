import type { ToolCall } from "../../message/messages.ts";
import { canonicalJson } from "../../base/util/canonical-json.ts";
import { digest } from "../../base/util/digest.ts";

/** What an approval is bound to beside the call. */
export interface ApprovalBinding {
  readonly runId: string;
  /** Ids of calls may come again in a later turn. */
  readonly turn?: number | undefined;
  /** With it, nobody else can make an id. */
  readonly stateSecret?: string | undefined;
}

/**
 * The id that a decision on a call refers to: it holds for this call, with these arguments, in this turn of this run.
 * @param call - As it is listed among the pending ones.
 * @param visibleInput - Its input as a person is shown it.
 */
export function approvalIdOf(
  call: ToolCall,
  visibleInput: unknown,
  { runId, turn, stateSecret }: ApprovalBinding,
): Promise<string> {
  const { toolCallId, toolName } = call;
  return digest(
    `approval:${JSON.stringify([runId, turn, toolCallId, toolName, call.arguments, canonicalJson(visibleInput)])}`,
    stateSecret,
  );
}

import type { ToolCall } from "../../message/messages.ts";
import { canonicalJson } from "../../base/util/canonical-json.ts";
import { digest } from "../../base/util/digest.ts";

/** What an approval is bound to beside the call. */
export interface ApprovalBinding {
  readonly runId: string;
  /** Ids of calls may come again in a later turn. */
  readonly turn?: number | undefined;
  /** Where the tool comes from, if that is a toolset: a name may be another tool's at another time. */
  readonly origin?: readonly string[] | undefined;
  /** The version of the tool: empty for a toolset's tool without one, `undefined` for any other tool without one. */
  readonly version?: string | undefined;
  /** With it, nobody else can make an id. */
  readonly stateSecret?: string | undefined;
}

/**
 * The id that a decision on a call refers to: it holds for this call, with these arguments, in this turn of this run.
 * @param call - As it is listed among the pending ones.
 * @param visibleInput - Its input as a person is shown it.
 */
export function approvalIdOf(
  call: ToolCall & { readonly edited?: ToolCall | undefined },
  visibleInput: unknown,
  { runId, turn, origin, version, stateSecret }: ApprovalBinding,
): Promise<string> {
  const { toolCallId, toolName, edited } = call;
  const bound: unknown[] = [runId, turn, toolCallId, toolName, call.arguments, canonicalJson(visibleInput)];
  // A middleware may make the same of what a person wrote as of the model's call: that is another decision.
  if (edited) bound.push(edited.toolName, edited.arguments);
  if (origin && origin.length > 0) bound.push(origin);
  if (version !== undefined) bound.push({ version });
  return digest(`approval:${JSON.stringify(bound)}`, stateSecret);
}

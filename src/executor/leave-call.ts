import type { ToolCall } from "../message/messages.ts";
import { printStep } from "../message/step-key.ts";
import type { Tool } from "../tool/types.ts";
import { endCall, readArguments } from "./execute-call.ts";
import { shownInput, tooLargeToShow } from "./policies/shown-input.ts";
import { stepOfCall } from "./step-of-call.ts";
import type { ExecutionScope, LeftCall, SettledCall, SuspendedCall } from "./types.ts";

/**
 * Leaves a call of a model to the program, with the input that the tool would get. Arguments that are wrong, or of which the program would
 * not have all, are for the model to correct.
 */
export async function leaveCall(
  call: ToolCall,
  tool: Tool,
  scope: ExecutionScope,
): Promise<LeftCall | SettledCall> {
  const startedAt = performance.now();
  const read = await readArguments(call, tool, scope);
  const outcome = "result" in read ? read : left(call, read.input, scope);
  if ("left" in outcome) return outcome;
  scope.observer.start(call);
  await endCall(call, outcome, scope, startedAt);
  return outcome;
}

function left(call: ToolCall, read: unknown, scope: ExecutionScope): LeftCall | SettledCall {
  const input = shownInput(read);
  return input === undefined ? tooLargeToShow(call, scope) : { left: { toolCallId: call.toolCallId, input } };
}

/** A call of a tool by another, whose result comes from elsewhere. */
export function waitForResult(
  call: ToolCall,
  read: unknown,
  scope: ExecutionScope,
): SuspendedCall | SettledCall {
  const outcome = left(call, read, scope);
  if (!("left" in outcome)) return outcome;
  const waiting = { ...call, ...outcome.left, ...(scope.agent && { agent: scope.agent.name }) };
  const steps = [{ step: printStep(stepOfCall(call, scope)), waiting }];
  return { suspended: { toolCallId: call.toolCallId, toolCall: call, steps }, requests: [] };
}

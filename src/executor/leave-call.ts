import type { ToolCall } from "../message/messages.ts";
import { printStep } from "../message/step-key.ts";
import type { Tool } from "../tool/types.ts";
import { endCall, readArguments } from "./execute-call.ts";
import { shownInput } from "./policies/shown-input.ts";
import { stepOfCall } from "./step-of-call.ts";
import type { ExecutionScope, LeftCall, SettledCall, SuspendedCall } from "./types.ts";

/** Leaves a call of a model to the program, with the input that the tool would get. Wrong arguments are for the model to correct. */
export async function leaveCall(
  call: ToolCall,
  tool: Tool,
  scope: ExecutionScope,
): Promise<LeftCall | SettledCall> {
  const startedAt = performance.now();
  const read = await readArguments(call, tool, scope);
  if (!("result" in read)) return { left: { toolCallId: call.toolCallId, input: shownInput(read.input) } };
  scope.observer.start(call);
  await endCall(call, read, scope, startedAt);
  return read;
}

/** A call of a tool by another, whose result comes from elsewhere. */
export function waitForResult(call: ToolCall, input: unknown, scope: ExecutionScope): SuspendedCall {
  const { toolCallId } = call;
  const waiting = { ...call, input: shownInput(input), ...(scope.agent && { agent: scope.agent.name }) };
  const steps = [{ step: printStep(stepOfCall(call, scope)), waiting }];
  return { suspended: { toolCallId, toolCall: call, steps }, requests: [] };
}

import type { ToolCall } from "../message/messages.ts";
import type { NestedWork } from "../message/run-state.ts";
import { printStep } from "../message/step-key.ts";
import type { Tool } from "../tool/types.ts";
import { endCall, readArguments } from "./execute-call.ts";
import { withinPolicies } from "./policies/index.ts";
import { shownInput, tooLargeToShow } from "./policies/shown-input.ts";
import { stepOfCall } from "./step-of-call.ts";
import type { BatchOutcome, CallOutcome, ExecutionScope, LeftCall, Perform, ReadyCall } from "./types.ts";

/**
 * Leaves a call of a model to the program, with the input that the tool would get. Arguments that are wrong, or of which the program would
 * not have all, are for the model to correct, and so is a call that comes too early.
 */
export async function leaveCall(call: ToolCall, tool: Tool, scope: ExecutionScope): Promise<BatchOutcome> {
  const startedAt = performance.now();
  const read = await readArguments(call, tool, scope);
  const outcome =
    "result" in read ? read : await waitForResult({ call, tool, input: read.input, scope, depth: 0 });
  if ("suspended" in outcome) return leftCall(outcome.suspended);
  if (!("result" in outcome)) return outcome;
  scope.observer.start(call);
  await endCall(call, outcome, scope, startedAt);
  return outcome;
}

/** A call whose result comes from elsewhere, unless it is refused. */
export async function waitForResult(ready: ReadyCall): Promise<CallOutcome> {
  return withinPolicies(ready.tool, wait, ["call"])(ready);
}

const wait: Perform = ({ call, input: read, scope }) => {
  const input = shownInput(read);
  if (input === undefined) return tooLargeToShow(call, scope);
  const { toolCallId } = call;
  const waiting = { ...call, input, ...(scope.agent && { agent: scope.agent.name }) };
  const steps = [{ step: printStep(stepOfCall(call, scope)), waiting }];
  return { suspended: { toolCallId, toolCall: call, steps }, requests: [] };
};

function leftCall({ toolCallId, steps }: NestedWork): LeftCall {
  for (const step of steps)
    if ("waiting" in step && step.waiting.input !== undefined)
      return { left: { toolCallId, input: step.waiting.input } };
  throw new TypeError("a call that is left to the program has no input");
}

import type { ToolCall } from "../../message/messages.ts";
import type { CallOutcome, Perform, Policy, ReadyCall } from "../types.ts";
import { editNote } from "../approved-call.ts";
import { textResult } from "../finalize.ts";
import { approvalIdOf } from "./approval-id.ts";
import { askPolicy } from "./ask-policy.ts";
import { argumentGuard, policyScope } from "./guard-arguments.ts";

/** Lets a call through that a person has approved, or that needs no approval; any other one waits. */
export const approval: Policy = (next, tool) => {
  const guarded = argumentGuard(tool, "approval");
  return (ready) => askOrPerform(next, ready, guarded);
};

async function askOrPerform(
  next: Perform,
  ready: ReadyCall,
  guarded: (input: unknown) => unknown,
): Promise<CallOutcome> {
  const { call, scope, depth, input } = ready;
  const { approved } = scope;
  if (approved?.covers(call)) {
    if (approved.isUsed) scope.observer.warn(repeated(call));
    return approved.perform(async () => withEditNote(await next(ready), approved.edited));
  }
  if (!(await needsApproval(ready, guarded))) return next(ready);
  if (approved?.isUsed) return refused(call, "its approval holds for one call.");
  if (depth === 0 || scope.startWork)
    return { waiting: { approvalId: await approvalIdOf(call, scope), toolCall: call, input } };
  return refused(call, "it needs a person's approval, so it cannot be called by another tool.");
}

function repeated({ toolName, toolCallId }: ToolCall): string {
  return `A middleware of the call "${toolCallId}" of ${toolName} called next again, which has no effect. An approval holds for one call.`;
}

function refused(call: ToolCall, why: string): CallOutcome {
  return { result: textResult(call, `${call.toolName} was not called: ${why}`, "denied") };
}

/** Anything but a clear "no" is left to a person. */
async function needsApproval(
  { tool, input, scope }: ReadyCall,
  guarded: (input: unknown) => unknown,
): Promise<boolean> {
  const {
    name,
    policy: { approval },
  } = tool;
  if (typeof approval !== "function") return true;
  const { context, agent, signal, observer } = scope;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema has checked the arguments, the program gave the context
  const ask = approval as (args: unknown, scope: unknown) => unknown;
  const failure = `A person has to decide, because the approval function of the tool ${name} failed`;
  const warn = (message: string): void => observer.warn(message);
  return (
    (await askPolicy(
      () => ask(guarded(input), policyScope(name, "approval", { context, agent })),
      failure,
      warn,
      signal,
    )) !== false
  );
}

/** Adds to a result that the tool was called with other arguments than the model gave. */
function withEditNote(outcome: CallOutcome, edited: string | undefined): CallOutcome {
  // The text of a final result is the run's answer, which nobody but the user reads.
  if (edited === undefined) return outcome;
  if ("suspended" in outcome) return { ...outcome, suspended: { ...outcome.suspended, isEdited: true } };
  if (!("result" in outcome) || outcome.final) return outcome;
  const text = editNote(edited);
  const { result } = outcome;
  return { ...outcome, result: { ...result, content: [...result.content, { type: "text", text }] } };
}

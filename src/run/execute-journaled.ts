import { executeCall } from "../executor/execute-call.ts";
import { findAgent } from "../agent/handoff.ts";
import type { CallOutcome, ExecutionScope, SettledCall, WaitingCall } from "../executor/types.ts";
import type { ToolCall } from "../message/messages.ts";
import type { AgentLike } from "../tool/agent-like.ts";
import type { ActiveRun } from "./active-run.ts";
import { journaled } from "./journal.ts";

/** What is kept of a call: plain JSON, so an agent by its name. */
type JournaledCall = Omit<SettledCall, "agent" | "error" | "value"> & { readonly agent?: string };

/** Ends a journal's step for a call that waits: what is not done is not remembered. */
class StillWaiting extends Error {
  readonly outcome: WaitingCall;

  constructor(outcome: WaitingCall) {
    super("the call waits for a decision");
    this.outcome = outcome;
  }
}

/** Executes a call unless the run's journal knows what came of it. */
export async function executeJournaled(
  run: ActiveRun,
  call: ToolCall,
  scope: ExecutionScope,
): Promise<CallOutcome> {
  try {
    return await executeOnce(run, scope, call);
  } catch (error) {
    if (error instanceof StillWaiting) return error.outcome;
    throw error;
  }
}

async function executeOnce(run: ActiveRun, scope: ExecutionScope, call: ToolCall): Promise<SettledCall> {
  let live: AgentLike | undefined;
  const kept = await journaled(run.journal, `turn-${run.turn}/tool/${call.toolCallId}`, async () => {
    const outcome = await (run.execute ?? executeCall)(call, scope);
    if ("waiting" in outcome) throw new StillWaiting(outcome);
    const { agent, error: _error, value: _value, ...rest } = outcome;
    live = agent;
    const entry: JournaledCall = { ...rest, ...(agent && { agent: agent.name }) };
    return entry;
  });
  const { agent: name, ...rest } = kept;
  const agent = live ?? (name === undefined ? undefined : findAgent(name, [run.agent, ...run.roots]));
  return { ...rest, ...(agent && { agent }) };
}

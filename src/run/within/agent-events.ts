import type { AgentRequest } from "../../executor/types.ts";
import { emit, hasListeners } from "../events/emit.ts";
import type { ActiveRun } from "../state/active-run.ts";
import type { AgentRunEvent, RunEvent } from "../types.ts";

/** Passes the events of an agent on to the listeners of the run around it; `undefined` where nobody wants them. */
export function agentListener(
  outer: ActiveRun,
  { step, signal, options }: AgentRequest,
): ((event: RunEvent) => void) | undefined {
  if (options.events === false || !hasListeners(outer)) return undefined;
  const parentToolCallId = step.parent?.id ?? "";
  return (event) => {
    // They become requests of the outer run once the call waits for them.
    if (event.type === "approval-request") return;
    // The call is over, or its run: an agent that does not notice has nothing more to report.
    if (signal.aborted || outer.config.scope.isDisposed) return;
    const agent = outer.agent.name;
    emit(outer, { type: "agent-event", agent, parentToolCallId, event: withoutResult(event) });
  };
}

function withoutResult(event: RunEvent): AgentRunEvent {
  if (event.type !== "run-end" || event.status === "failed") return event;
  const { type, index, agent, status } = event;
  return { type, index, agent, status };
}

import { asAgent } from "../../../agent/handoff.ts";
import type { AgentRequest } from "../../../executor/types.ts";
import type { ApprovalDecision, PendingCall } from "../../../message/run-state.ts";
import { printStep } from "../../../message/step-key.ts";
import { run } from "../../../run/run.ts";
import type { AgentRunEvent, RunEvent } from "../../../run/types.ts";
import { approve } from "./approve.ts";
import type { Offer } from "./offer.ts";
import type { ProgressReporter } from "./progress.ts";
import type { ServedRequest } from "./request.ts";

/** An agent that a client, or a tool on its behalf, asks. */
export interface AgentCall extends AgentRequest {
  readonly request: ServedRequest;
  readonly offer: Offer;
  readonly progress: ProgressReporter;
  readonly context: unknown;
}

/**
 * Runs an agent to its end and returns its text. Its tools ask for approval as any other tool does.
 * @throws Error if it comes to no answer, and whatever the run throws.
 */
export async function runServedAgent(call: AgentCall): Promise<string> {
  const { input, step, signal, offer, progress, context } = call;
  const agent = asAgent(call.agent);
  const { events = true, detached: _, ...limits } = call.options;
  const options = {
    ...limits,
    signal,
    context,
    ...(agent.model === undefined && offer.model !== undefined && { model: offer.model }),
    ...(events && { onEvent: (event: RunEvent): void => reportEvent(event, progress) }),
  };
  const key = JSON.stringify([printStep(step), input]);
  const paused = offer.paused.get(key);
  let result = paused ?? (await run(agent, input, options));
  while (result.status === "paused" && result.pending.some(({ approvalId }) => approvalId)) {
    // A client of the newer revision answers in another request, which goes on from here.
    offer.paused.set(key, result, JSON.stringify(result.state).length);
    const approvals = await decide(result.pending, call);
    offer.paused.delete(key);
    // A tool may have returned the agent that is active now.
    result = await run(agent, result.state, { ...options, approvals, agents: [result.agent] });
  }
  if (result.status === "completed") return result.text;
  if (result.status === "blocked" && result.text !== "") throw new Error(result.text);
  const waiting = result.pending.map(({ toolName }) => `, ${toolName}`).join("");
  throw new Error(`${agent.name} ended without an answer (${result.status}${waiting}).`);
}

/** Asks for the decisions on all pending calls at once. */
function decide(pending: readonly PendingCall[], { request, offer }: AgentCall): Promise<ApprovalDecision[]> {
  const waiting = pending.flatMap(({ approvalId, ...call }) => (approvalId ? [{ approvalId, call }] : []));
  return Promise.all(
    waiting.map(async ({ approvalId, call }): Promise<ApprovalDecision> => {
      const name = `approval-${call.toolName}-${approvalId}`;
      const reason = await approve(name, call.toolName, JSON.stringify(call.input), request, offer);
      return reason === undefined
        ? { approvalId, decision: "approve" }
        : { approvalId, decision: "deny", reason };
    }),
  );
}

function reportEvent(event: RunEvent | AgentRunEvent, progress: ProgressReporter): void {
  if (event.type === "agent-event") reportEvent(event.event, progress);
  if (event.type === "tool-start") progress.report(`${event.agent} calls ${event.toolCall.toolName}`);
  if (event.type === "handoff") progress.report(`${event.agent} hands over to ${event.to}`);
}

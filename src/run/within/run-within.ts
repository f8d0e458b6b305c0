import { asAgent } from "../../agent/handoff.ts";
import type { AgentRequest } from "../../executor/types.ts";
import { runIdWithin } from "../../message/step-key.ts";
import type { RunResult } from "../result-types.ts";
import { startRun, type StartOptions } from "../start.ts";
import type { ActiveRun } from "../state/active-run.ts";
import type { AroundSteps } from "../steps/around-steps.ts";
import type { RunOptions } from "../types.ts";
import { agentListener } from "./agent-events.ts";

/** How deep agents may call each other as tools within one run. */
const deepestRun = 8;

/**
 * Runs an agent for a tool of a run. Its default model, and limits that it does not set itself, are those of the run.
 * @param drive - Drives the agent's run to its end.
 * @param steps - Present where something remembers steps: an agent that has its answer is not run again.
 */
export function runAgent(
  outer: ActiveRun,
  request: AgentRequest,
  drive: (run: ActiveRun) => Promise<RunResult>,
  steps: AroundSteps | undefined,
): Promise<string> {
  const perform = (): Promise<string> => runWithin(outer, request, drive);
  return steps ? steps.rememberStep(outer, request.step, perform) : perform();
}

async function runWithin(
  outer: ActiveRun,
  request: AgentRequest,
  drive: (run: ActiveRun) => Promise<RunResult>,
): Promise<string> {
  const { step, input } = request;
  const agent = asAgent(request.agent);
  if (outer.config.depth >= deepestRun)
    throw new Error(`${agent.name} was not run: agents have called each other ${deepestRun} deep.`);
  const start: StartOptions = {
    listener: agentListener(outer, request),
    runId: runIdWithin(step),
    middlewares: outer.config.middlewares,
    parent: step,
    callersModel: outer.model,
    depth: outer.config.depth + 1,
    outer,
  };
  const run = startRun(agent, input, optionsWithin(outer, request), start);
  try {
    const result = await drive(run);
    if (result.status === "completed") return result.text;
    throw new Error(describeEnd(request, result));
  } finally {
    outer.addAgentRun({
      agent: agent.name,
      parentToolCallId: step.parent?.id ?? "",
      runId: run.config.runId,
      status: run.outcome?.status ?? "failed",
      messages: run.conversation.added,
      usage: run.meters.usage,
      turns: run.meters.turns,
      agentRuns: run.agentRuns,
    });
  }
}

function optionsWithin(outer: ActiveRun, { signal, options }: AgentRequest): RunOptions {
  const { model, maxTurns, maxCorrections, concurrency, compaction } = outer.config.options;
  const { events: _events, ...limits } = options;
  return {
    context: outer.context,
    signal,
    ...(model !== undefined && { model }),
    ...(maxTurns !== undefined && { maxTurns }),
    ...(maxCorrections !== undefined && { maxCorrections }),
    ...(concurrency !== undefined && { concurrency }),
    ...(compaction && { compaction }),
    ...limits,
  };
}

/** Why an agent has no answer, for the model that called it. */
function describeEnd({ agent, signal, options }: AgentRequest, result: RunResult): string {
  const text = result.text.trim();
  const partial = text === "" ? "" : ` Its last text: ${text}`;
  const { status, turns } = result;
  if (status === "max-turns")
    return `${agent.name} reached its limit of ${turns} model ${turns === 1 ? "call" : "calls"} before it finished.${partial}`;
  if (status === "budget")
    return `${agent.name} reached its limit of tokens or money before it finished.${partial}`;
  if (status === "cancelled" && !signal.aborted && options.timeout !== undefined)
    return `${agent.name} did not finish within ${options.timeout} ms.${partial}`;
  const waiting = result.pending.map(({ toolName }) => `, ${toolName}`).join("");
  return `${agent.name} ended without an answer (${status}${waiting}).`;
}

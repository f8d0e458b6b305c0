import { asAgent, handoffEntries } from "../../agent/handoff.ts";
import type { SettledCall } from "../../executor/types.ts";
import type { ToolCall, ToolResult } from "../../message/messages.ts";
import { outermostRunId, printStep, type StepKey } from "../../message/step-key.ts";
import { notExecuted } from "../../message/unanswered-calls.ts";
import type { MiddlewareSource } from "../../run/steps/global-middleware.ts";
import type { Middleware } from "../../run/steps/middleware.ts";
import type { AgentLike } from "../../tool/agent-like.ts";
import type { Recorder } from "../recorder.ts";
import type { ReplayOrigin } from "../run-record.ts";
import type { RecordedOutcomes } from "./recorded-outcomes.ts";

/** How a run is repeated. */
export interface ReplayPlan {
  readonly runId: string;
  /** The conversation that the replay is in: nothing else is in it as it begins. */
  readonly session: string;
  readonly origin: ReplayOrigin;
  /** What the user has asked. */
  readonly question: string;
  /** The agent that it begins with. */
  readonly agent: string;
  /** Used instead of that agent's own. */
  readonly instructions?: string;
  /** The tools whose calls are executed. */
  readonly executed: ReadonlySet<string>;
  readonly outcomes: RecordedOutcomes;
}

/** How many replays can still go on, after a pause for example. */
const mostPlans = 100;

/**
 * Replays under way: the calls of their models have the results that equal calls had before, and execute nothing. Of a call that the run before
 * did not make, the model reads that it was not executed.
 */
export class Replays {
  readonly #plans = new Map<string, ReplayPlan>();
  readonly #recorder: Recorder;

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
  }

  add(plan: ReplayPlan): void {
    this.#plans.set(plan.session, plan);
    const [oldest] = this.#plans.keys();
    if (this.#plans.size > mostPlans && oldest !== undefined) this.#plans.delete(oldest);
  }

  /** What stands around runs: something around replays alone. */
  readonly source: MiddlewareSource = ({ session }) => {
    const plan = session?.id === undefined ? undefined : this.#plans.get(session.id);
    return plan && this.#middlewareOf(plan);
  };

  #middlewareOf(plan: ReplayPlan): Middleware {
    const recorder = this.#recorder;
    /** The calls of models, by their steps, with the agents that made them. */
    const calls = new Map<string, { readonly call: ToolCall; readonly agent: AgentLike }>();
    const isPartOf = (key: StepKey): boolean => outermostRunId(key) === plan.runId;
    return {
      run: (info, next) => {
        if (info.runId === plan.runId) recorder.noteReplay(plan.origin, plan.question);
        return next();
      },
      async *model(request, { key, agent }, next) {
        if (!isPartOf(key)) return yield* next(request);
        const { instructions } = plan;
        const isEdited = instructions !== undefined && agent.name === plan.agent && key.parent === undefined;
        if (isEdited) recorder.noteInstructions(instructions);
        for await (const event of next(isEdited ? { ...request, instructions } : request)) {
          if (event.type === "finish")
            for (const call of event.generation.message.toolCalls)
              calls.set(printStep({ ...key, kind: "tool", id: call.toolCallId }), { call, agent });
          yield event;
        }
      },
      // Around the call as a whole: a result alone could not say to whom a call hands off, or what it changes of the context.
      step: async (key, next) => {
        const { call, agent } = (isPartOf(key) && !key.decided && calls.get(printStep(key))) || {};
        if (!call || !agent || plan.executed.has(call.toolName)) return next();
        const outcome = plan.outcomes.next(agent.name, call);
        if (!outcome) return next();
        const repeated = repeat(outcome, call);
        recorder.addReplayedCall(call, repeated);
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is stored of a call is what the step of a call returns
        return stored(repeated) as Awaited<ReturnType<typeof next>>;
      },
      // What tools call, and calls that the run before did not make.
      tool: async (call, { key, agent }, next): Promise<ToolResult> => {
        if (!isPartOf(key) || plan.executed.has(call.toolName) || handsOff(agent, call)) return next(call);
        const { result } = plan.outcomes.next(agent.name, call) ?? {};
        recorder.noteReplayedCall();
        return result ? { ...result, ...idOf(call) } : notExecuted(call, whyNot(plan, agent, call));
      },
    };
  }
}

/** Why a call has no result. */
function whyNot({ outcomes }: ReplayPlan, { name }: AgentLike, call: ToolCall): string {
  return outcomes.isOpen(name, call)
    ? "this is a replay, and the same call of the run before has no result: it waited, or was cut off."
    : "this is a replay, and the run before did not call it with these arguments.";
}

/** A handoff that agents list has no effect but the handoff. */
function handsOff(agent: AgentLike, { toolName }: ToolCall): boolean {
  return handoffEntries(asAgent(agent)).some(({ source }) => source.name === toolName);
}

/** The outcome of an earlier call as that of another one. */
function repeat(
  { error: _, permitted: __, cached: ___, ...outcome }: SettledCall,
  call: ToolCall,
): SettledCall {
  return { ...outcome, result: { ...outcome.result, ...idOf(call) } };
}

/** An outcome as steps return it: its agent by name, which may have been loaded again since. */
function stored({ agent, value: _, ...outcome }: SettledCall): object {
  return { ...outcome, ...(agent && { agent: agent.name }) };
}

function idOf({ toolCallId, toolName }: ToolCall): Pick<ToolResult, "toolCallId" | "toolName"> {
  return { toolCallId, toolName };
}

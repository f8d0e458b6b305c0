import { immediate } from "../base/util/callbacks.ts";
import { invalidOption } from "../base/options/known-options.ts";
import type { AnyAgent } from "../agent/agent.ts";
import type { Message, Usage } from "../message/messages.ts";
import type { PendingCall } from "../message/run-state.ts";
import { addUsage, noUsage } from "../message/usage.ts";
import type { Model } from "../model/types.ts";
import { run } from "../run/run.ts";
import type { ModelCall } from "../model/model-call.ts";
import { printStep } from "../message/step-key.ts";
import { watchCalls } from "../run/call-watch.ts";
import type { RunResult } from "../run/result-types.ts";
import type { InputMessage, RunEvent, RunInput, RunOptions } from "../run/types.ts";
import type { RunCall } from "./made-calls.ts";
import { parseJson } from "./read-json.ts";
import type { Speaker } from "./simulated-user.ts";
import type { EvalOptions, EvalRunOptions } from "./types.ts";

/** How often decisions are made in a row before the agent is left waiting. */
const mostDecisions = 50;

/** How often a user may speak: one that never ends would talk for ever. */
const mostMessages = 100;

/** What a conversation is held with. */
export interface Talk {
  readonly agent: AnyAgent;
  readonly input: string | readonly InputMessage[] | undefined;
  readonly user: Speaker;
  readonly model: Model | string | undefined;
  readonly context: object | undefined;
  readonly approvals: EvalOptions["approvals"];
  readonly run: EvalRunOptions | undefined;
  readonly signal: AbortSignal | undefined;
}

/** What a whole conversation came to. */
export interface Conversation {
  /** Of the last run; `undefined` if nobody said anything. */
  readonly last: RunResult;
  readonly messages: readonly Message[];
  readonly agents: readonly string[];
  /** The ids of the calls that passed the lead on. */
  readonly handoffs: ReadonlySet<string>;
  /** The calls that reached a tool. */
  readonly allCalls: readonly RunCall[];
  readonly turns: number;
  readonly usage: Usage;
  readonly modelCalls: readonly ModelCall[];
  readonly durationMs: number;
}

/**
 * Lets the user and the agent talk until either has nothing more to say.
 * @throws whatever `run` throws, and whatever the user throws.
 */
export async function converse(talk: Talk): Promise<Conversation> {
  const { user, signal } = talk;
  const agents: string[] = [talk.agent.name];
  const handoffs = new Set<string>();
  const allCalls = new Map<string, RunCall>();
  const watch = watchCalls((tool, call, agent, step) =>
    allCalls.set(printStep(step), { tool, arguments: parseJson(call.arguments), agent }),
  );
  const onEvent = (event: RunEvent): void => {
    if (event.type !== "handoff") return;
    handoffs.add(event.toolCallId);
    agents.push(event.to);
  };
  const options: RunOptions = {
    ...talk.run,
    ...(talk.model !== undefined && { model: talk.model }),
    ...(signal && { signal }),
    onEvent,
    middleware: [watch],
  };
  let totals = { turns: 0, usage: noUsage, modelCalls: [] as readonly ModelCall[], durationMs: 0 };
  const ask = async (agent: AnyAgent, input: RunInput, context: unknown): Promise<RunResult> => {
    const result = await decide(await runAny(agent, input, { ...options, context }), talk, options);
    totals = {
      turns: totals.turns + result.turns,
      usage: addUsage(totals.usage, result.usage),
      modelCalls: [...totals.modelCalls, ...result.modelCalls],
      durationMs: totals.durationMs + result.stats.totalMs,
    };
    return result;
  };

  const first = talk.input ?? (await user.next({ text: "", messages: [], signal }));
  if (first === undefined) throw new TypeError("the user has no message. Set the input of the case");
  let last = await ask(talk.agent, first, talk.context);
  for (let count = 1; hasAnswered(last); count++) {
    if (count === mostMessages)
      throw new TypeError(
        `the user has said ${mostMessages} messages. Return undefined to end the conversation`,
      );
    const { messages } = last.state;
    const content = await user.next({ text: last.text, messages, signal });
    if (content === undefined) break;
    last = await ask(last.agent, [...messages, { role: "user", content }], last.context);
  }
  return {
    last,
    messages: last.state.messages,
    agents,
    handoffs,
    allCalls: [...allCalls.values()],
    ...totals,
  };
}

/** Whether the user may speak again: the agent has come to an answer, or waits for results that nobody will bring. */
function hasAnswered({ status, pending }: RunResult): boolean {
  const isUndecided = pending.some(({ approvalId }) => approvalId !== undefined);
  return status === "completed" || (status === "paused" && !isUndecided);
}

/** Answers requests for approval until none is left. */
async function decide(
  result: RunResult,
  { agent, approvals }: Talk,
  options: RunOptions,
): Promise<RunResult> {
  if (!approvals) return result;
  // The calls may be of an agent that has handed off since.
  const agents = [...(options.agents ?? []), agent];
  let at = result;
  for (let count = 0; at.status === "paused" && count < mostDecisions; count += 1) {
    const decisions = at.pending.flatMap((call) => {
      const { approvalId } = call;
      return approvalId === undefined ? [] : [{ approvalId, decision: decisionOn(call, approvals) }];
    });
    if (decisions.length === 0) break;
    const next = await runAny(at.agent, at.state, { ...options, agents, approvals: decisions });
    at = joined(at, next);
  }
  return at;
}

function decisionOn(call: PendingCall, approvals: NonNullable<EvalOptions["approvals"]>): "approve" | "deny" {
  if (typeof approvals !== "function") return approvals;
  return immediate(approvals(call), () =>
    invalidOption('approvals of an evaluation must return "approve" or "deny", not a promise.', {
      option: "approvals",
    }),
  );
}

/** Two runs, one after the other, as one. */
function joined(before: RunResult, after: RunResult): RunResult {
  return {
    ...after,
    turns: before.turns + after.turns,
    usage: addUsage(before.usage, after.usage),
    modelCalls: [...before.modelCalls, ...after.modelCalls],
    stats: { ...after.stats, totalMs: before.stats.totalMs + after.stats.totalMs },
  };
}

/** An agent of any context: the author of the evaluation knows which one it needs. */
function runAny(agent: AnyAgent, input: RunInput, options: RunOptions): Promise<RunResult> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the context comes from the same hands as the agent
  return run(agent as unknown as Parameters<typeof run>[0], input, options);
}

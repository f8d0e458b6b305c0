import { immediate } from "../base/util/callbacks.ts";
import { invalidOption } from "../base/options/known-options.ts";
import type { AnyAgent } from "../agent/agent.ts";
import { SkeinError } from "../errors.ts";
import { noUsage } from "../message/usage.ts";
import type { Model } from "../model/types.ts";
import type { ModelCall } from "../model/model-call.ts";
import { errorMessage } from "../base/util/error-message.ts";
import type { JsonValue } from "../base/util/json.ts";
import { toJson } from "../base/util/to-json.ts";
import { applyScorers } from "./apply-scorers.ts";
import { converse } from "./converse.ts";
import { scorersOf } from "./default-scorers.ts";
import type { Evaluation } from "./define-eval.ts";
import { madeCalls } from "./made-calls.ts";
import type { RunRecord, ScoreRecord } from "./results.ts";
import { speaker } from "./simulated-user.ts";
import type { EvalCase, EvalRunOptions, ScorerTools, Transcript, World } from "./types.ts";

/** The model to evaluate: itself, its name, or a function that makes one for each run, whose options are `run`. */
export type EvalModel =
  | Model
  | string
  | ((evalCase: EvalCase, agent: AnyAgent, run?: EvalRunOptions) => Model | string);

/** What one run of a case is made with. */
export interface OneRun {
  readonly evaluation: Evaluation;
  readonly case: EvalCase;
  /** Counted from 0. */
  readonly run: number;
  readonly model: EvalModel | undefined;
  readonly tools: ScorerTools;
  /** Whether any money is known of: what the model calls cost. */
  readonly costOf: ((calls: readonly ModelCall[]) => number | undefined) | undefined;
}

/** One run of a case, and who answered. */
export interface Ran {
  readonly record: RunRecord;
  readonly modelCalls: readonly ModelCall[];
}

/** Runs a case once and scores it. Whatever is thrown is the record's error. */
export async function runOnce(one: OneRun): Promise<Ran> {
  let world: World = {};
  let ran: Ran;
  try {
    world = (await one.evaluation.setup?.(one.case)) ?? {};
    const transcript = await transcribe(one, world);
    const scores = await applyScorers(scorersOf(one.case, one.evaluation), transcript, one.tools);
    ran = { record: recordOf(one, transcript, scores), modelCalls: transcript.modelCalls };
  } catch (error) {
    ran = { record: failedRecord(one, error), modelCalls: [] };
  }
  try {
    await world.close?.();
    return ran;
  } catch (error) {
    const failure = failedRecord(one, error).error;
    return { ...ran, record: { ...ran.record, pass: false, error: ran.record.error ?? failure ?? unknown } };
  }
}

const unknown = { message: "unknown" };

async function transcribe(one: OneRun, world: World): Promise<Transcript> {
  const { evaluation, case: evalCase, tools } = one;
  const agent =
    world.agent ??
    (typeof evaluation.agent === "function"
      ? immediate(evaluation.agent(evalCase), () =>
          invalidOption("agent of an evaluation must return an agent, not a promise. Use setup.", {
            option: "agent",
          }),
        )
      : evaluation.agent);
  const state = world.state ?? evaluation.state;
  const snapshot = async (): Promise<JsonValue> => toJson(await state?.()).value;
  const before = state && (await snapshot());
  const user = speaker(world.user ?? evalCase.user, tools.judge);
  const context = { ...evaluation.context, ...world.context, ...evalCase.context };
  const { last, ...talk } = await converse({
    agent,
    input: evalCase.input,
    user,
    model: typeof one.model === "function" ? one.model(evalCase, agent, evaluation.run) : one.model,
    context,
    approvals: evaluation.approvals,
    run: evaluation.run,
    signal: tools.signal,
  });
  const goal = user.goal();
  return {
    case: evalCase,
    messages: talk.messages,
    calls: madeCalls(talk.messages, talk.handoffs),
    allCalls: talk.allCalls,
    text: last.text,
    output: last.output,
    agent: last.agent.name,
    agents: talk.agents,
    status: last.status,
    turns: talk.turns,
    usage: talk.usage,
    modelCalls: talk.modelCalls,
    durationMs: talk.durationMs,
    context: last.context,
    ...(before !== undefined && { state: { before, after: await snapshot() } }),
    ...(goal && { goal }),
  };
}

function recordOf(
  { run, costOf }: OneRun,
  transcript: Transcript,
  scores: readonly ScoreRecord[],
): RunRecord {
  const { status, text, output, agent, messages, turns, usage, durationMs, state, goal } = transcript;
  const cost = immediate(costOf?.(transcript.modelCalls), () =>
    invalidOption("costOf of runEval() must return an amount, not a promise.", { option: "costOf" }),
  );
  return {
    run,
    pass: scores.every(({ pass }) => pass),
    score: scores.reduce((sum, { score }) => sum + score, 0) / Math.max(1, scores.length),
    scores,
    status,
    text,
    ...(output !== undefined && { output: toJson(output).value }),
    agent,
    calls: transcript.calls.map((call) => ({
      tool: call.tool,
      arguments: toJson(call.arguments).value,
      ...(call.agent !== undefined && { agent: call.agent }),
      ...(call.outcome && { outcome: call.outcome }),
    })),
    messages,
    turns,
    usage,
    ...(cost !== undefined && { cost }),
    durationMs,
    ...(state && { state }),
    ...(goal && { goal }),
  };
}

/** What is left of a run that threw: the conversation up to there, where the error has it. */
function failedRecord({ run }: OneRun, error: unknown): RunRecord {
  const reached = error instanceof SkeinError ? error.state : undefined;
  const messages = reached?.messages ?? [];
  return {
    run,
    pass: false,
    score: 0,
    scores: [],
    error: { message: errorMessage(error), ...(error instanceof SkeinError && { code: error.code }) },
    text: "",
    ...(reached && { agent: reached.agent }),
    calls: madeCalls(messages).map(({ tool, arguments: args }) => ({ tool, arguments: toJson(args).value })),
    messages,
    turns: reached?.turn ?? 0,
    usage: reached?.usage ?? noUsage,
    durationMs: 0,
  };
}

import type { AnyAgent } from "../../agent/agent.ts";
import type { AssistantMessage, ToolCall, ToolResult } from "../../message/messages.ts";
import { notExecuted } from "../../message/unanswered-calls.ts";
import { mayActOn } from "../../model/may-act.ts";
import type { Generation } from "../../model/types.ts";
import type { ToolTable } from "../../tool/table.ts";
import { chain, type MaybePromise } from "../../base/util/maybe-promise.ts";
import { emit, hasListeners, warn } from "../events/emit.ts";
import { loadBlocked, loadLaterAnswers, loadOutput } from "../features.ts";
import type { ActiveRun } from "../state/active-run.ts";
import { goOn, stop, type Next } from "../state/outcome.ts";
import { appendResults } from "./append-results.ts";
import { recordModel } from "./chosen-model.ts";
import { executePending } from "./execute-pending.ts";
import { modelStep, noteNames } from "./model-step.ts";
import { toolsForTurn } from "./tools-for-turn.ts";
import type { OutputCollector, Turn, TurnEnd } from "./turn.ts";
import { uniqueCallIds } from "./unique-call-ids.ts";

/** One turn: calls the active agent's model, then executes the calls in its answer. Returns what comes next. */
export function takeTurn(run: ActiveRun): MaybePromise<Next> {
  const { record, durable } = run.config;
  const turn = record ? record.save().then(() => beginTurn(run)) : beginTurn(run);
  return chain(turn, (ready) => (durable ? completeDurableTurn(run, ready) : completeTurn(run, ready)));
}

function beginTurn(run: ActiveRun): MaybePromise<Turn> {
  return chain(toolsForTurn(run), (tools) => {
    emit(run, { type: "turn-start", turn: run.meters.addTurn(), agent: run.agent.name });
    for (const warning of tools.warnings) warn(run, warning);
    return prepareTurn(run, tools);
  });
}

/** A durable run may be left until its model has answered. */
async function completeDurableTurn(run: ActiveRun, turn: Turn): Promise<Next> {
  try {
    return await completeTurn(run, turn);
  } catch (error) {
    return (await loadLaterAnswers()).leaveUntilAnswer(error);
  }
}

async function completeTurn(run: ActiveRun, turn: Turn): Promise<Next> {
  const generation = await modelStep(run, turn);
  const { agent, meters } = run;
  if (generation.blocked) return (await loadBlocked()).endTurnBlocked(run, generation, generation.blocked);
  noteNames(run, turn.tools, generation.message.toolCalls);
  const message = appendAnswer(run, generation);
  // After a crash, the session must show which calls may have been executed.
  const { record } = run.config;
  if (record && message.toolCalls.length > 0) await record.save();
  // Throws if the usage is unknown: such a run must not execute calls.
  run.config.budget?.isSpent();
  // The calls of an answer that was remembered are for the tools that were there then.
  const isOutdated = turn.tools.isDynamic && run.isAnswerEarlier;
  const current = isOutdated ? { ...turn, tools: await toolsForTurn(run) } : turn;
  const { results, next } = await followAnswer(run, current, message, generation);
  const { finishReason, usage } = generation;
  if (hasListeners(run)) {
    const end = { type: "turn-end", turn: meters.turn, agent: agent.name, finishReason } as const;
    emit(run, {
      ...end,
      message,
      results,
      usage,
    });
  }
  return next;
}

/** The turn of the active agent with these tools: a promise only where there is an output to collect. */
export function prepareTurn(run: ActiveRun, tools: ToolTable): MaybePromise<Turn> {
  const output = run.config.options.output ?? run.agent.output;
  run.output = undefined;
  if (!output) return { tools, output: undefined };
  return loadCollector(run, tools, output).then((collector) => {
    run.output = collector;
    return { tools, output: collector };
  });
}

async function loadCollector(
  run: ActiveRun,
  tools: ToolTable,
  output: NonNullable<AnyAgent["output"]>,
): Promise<OutputCollector> {
  const { outputCollector } = await loadOutput();
  return run.config.scope.race(outputCollector(run, tools, output));
}

/** Appends an answer: a copy, since the generation is the model's own. */
function appendAnswer(run: ActiveRun, generation: Generation): AssistantMessage {
  run.endAnswer(generation);
  for (const warning of generation.warnings) warn(run, warning);
  // A part with calls is followed by their results: the next answer is one of its own.
  const isPart = generation.shouldContinue && generation.message.toolCalls.length === 0;
  const message = uniqueCallIds({
    ...generation.message,
    agent: run.agent.name,
    ...(isPart && { shouldContinue: true }),
  });
  const added = run.conversation.append(message);
  recordModel(run, added);
  return added;
}

/** Decides what follows an answer: the end of the run, a pause, the rest of the answer, or a batch of calls. */
function followAnswer(
  run: ActiveRun,
  turn: Turn,
  message: AssistantMessage,
  generation: Generation,
): MaybePromise<TurnEnd> {
  const { finishReason, refusal, shouldContinue } = generation;
  const { toolCalls } = message;
  const inputs = toolCalls.map((call) => call.arguments);
  if (!mayActOn(finishReason, inputs) || (turn.output && refusal !== undefined))
    return { results: refuseAll(run, toolCalls, finishReason), next: stop({ status: "incomplete" }) };
  if (shouldContinue && run.conversation.pending.length === 0) return { results: [], next: goOn };
  if (turn.output && toolCalls.length === 0 && !mayActOn(finishReason, [run.lastAnswer.text]))
    return { results: [], next: stop({ status: "incomplete" }) };
  if (turn.output) return collectOutput(run, turn, turn.output);
  if (run.conversation.pending.length > 0) return executePending(run, turn);
  return { results: [], next: stop({ status: "completed" }) };
}

/** Collects the output, and executes the other calls. */
async function collectOutput(run: ActiveRun, turn: Turn, output: OutputCollector): Promise<TurnEnd> {
  const { results, next } = await output.collect();
  if (run.conversation.pending.length === 0) return { results, next };
  const executed = await executePending(run, turn);
  return { ...executed, results: [...results, ...executed.results] };
}

function refuseAll(run: ActiveRun, calls: readonly ToolCall[], finishReason: string): readonly ToolResult[] {
  const results = calls.map((call) => notExecuted(call, `the answer was cut short (${finishReason}).`));
  appendResults(run, results);
  return results;
}

import type { AnyAgent } from "../agent/agent.ts";
import { isCorrection } from "../message/is-correction.ts";
import type { AssistantMessage, ToolCall, ToolResult } from "../message/messages.ts";
import { notExecuted } from "../message/unanswered-calls.ts";
import type { Generation } from "../model/types.ts";
import type { ToolTable } from "../tool/table.ts";
import { emit, noteGeneration, warn, type ActiveRun, type TurnOutput } from "./state/active-run.ts";
import { appendResults } from "./turn/append-results.ts";
import { modelStep } from "./turn/model-step.ts";
import { openRun } from "./resume/open-run.ts";
import { goOn, stop, type Next, type Outcome } from "./state/outcome.ts";
import { callingAgent, toolsForTurn } from "./turn/tools-for-turn.ts";
import { uniqueCallIds } from "./turn/unique-call-ids.ts";
import type { toolStep } from "./turn/tool-step.ts";
import type { typedOutput } from "./output/typed-output.ts";

const defaultMaxTurns = 20;
const defaultMaxCorrections = 3;

/**
 * The one loop: `run` and `stream` both are this, with other listeners. Each turn asks the active agent's model, then
 * executes the calls it asked for; the run ends when there are none, or when something stops it.
 * @throws RunCancelled on cancellation, and whatever a model cannot be told.
 */
export async function runLoop(run: ActiveRun): Promise<Outcome> {
  await openRun(run);
  let next = await resumePending(run);
  while ("next" in next) {
    if (run.record) await run.record.save();
    next = limitReached(run) ?? (await takeTurn(run));
  }
  return next.stop;
}

function limitReached(run: ActiveRun): Next | undefined {
  if (run.turns >= (run.options.maxTurns ?? defaultMaxTurns)) return stop({ status: "max-turns" });
  return run.budget?.isSpent(run.modelCalls) ? stop({ status: "budget" }) : undefined;
}

async function takeTurn(run: ActiveRun): Promise<Next> {
  const { agent } = run;
  const pendingTools = toolsForTurn(run);
  const tools = pendingTools instanceof Promise ? await pendingTools : pendingTools;
  const turn = beginTurn(run, tools);
  run.typed = outputOf(run) ? await collectorFor(run, tools) : undefined;
  const generation = await modelStep(run, tools);
  const message = uniqueCallIds({ ...generation.message, agent: agent.name });
  await appendAnswer(run, generation, message);
  const { results, next } = await answerCalls(run, tools, message, generation);
  const { finishReason, usage } = generation;
  emit(run, { type: "turn-end", turn, agent: agent.name, message, results, finishReason, usage });
  return next;
}

function beginTurn(run: ActiveRun, tools: ToolTable): number {
  run.turn++;
  run.turns++;
  emit(run, { type: "turn-start", turn: run.turn, agent: run.agent.name });
  for (const warning of tools.warnings) warn(run, warning);
  return run.turn;
}

async function appendAnswer(
  run: ActiveRun,
  generation: Generation,
  message: AssistantMessage,
): Promise<void> {
  noteGeneration(run, generation);
  run.conversation.append(message);
  // After a crash, the session must show which calls may have been made.
  if (run.record && message.toolCalls.length > 0) await run.record.save();
  // A run that cannot be measured must not execute calls.
  run.budget?.isSpent(run.modelCalls);
}

/** What a turn's calls came to, and what follows. */
interface Answered {
  readonly results: readonly ToolResult[];
  readonly next: Next;
}

/** Decides what follows an answer: the end, a pause, more of the answer, or a batch of calls and the next turn. */
function answerCalls(
  run: ActiveRun,
  tools: ToolTable,
  message: AssistantMessage,
  generation: Generation,
): Answered | Promise<Answered> {
  if (isIncomplete(generation) || (run.typed && generation.refusal !== undefined))
    return {
      results: refuseAll(run, message.toolCalls, generation.finishReason),
      next: stop({ status: "incomplete" }),
    };
  if (generation.goesOn && run.conversation.pending.length === 0) return { results: [], next: goOn };
  if (run.typed) return collectOutput(run, run.typed, tools);
  if (run.conversation.pending.length > 0) return executePending(run, tools);
  return { results: [], next: stop({ status: "completed" }) };
}

/** Collects the output, and executes the other calls. */
async function collectOutput(run: ActiveRun, typed: TurnOutput, tools: ToolTable): Promise<Answered> {
  const { results, next } = await typed.collect();
  if (run.conversation.pending.length === 0) return { results, next };
  const executed = await executePending(run, tools);
  return { ...executed, results: [...results, ...executed.results] };
}

/** Loaded by the first run that needs them: a program that only talks does without. */
let outputs: typeof typedOutput | undefined;
let execute: typeof toolStep | undefined;

/** What collects the output of the active agent's answers. */
async function collectorFor(run: ActiveRun, tools: ToolTable): Promise<TurnOutput | undefined> {
  const output = outputOf(run);
  if (!output) return undefined;
  outputs ??= (await import("./output/typed-output.ts")).typedOutput;
  return run.scope.race(outputs(run, tools, output));
}

function outputOf({ options, agent }: ActiveRun): AnyAgent["output"] {
  return options.output ?? agent.output;
}

/** An answer that was cut short or withheld: the arguments in it may be half of what was meant. */
function isIncomplete({ finishReason }: Generation): boolean {
  return finishReason === "length" || finishReason === "content-filter" || finishReason === "error";
}

function refuseAll(run: ActiveRun, calls: readonly ToolCall[], finishReason: string): readonly ToolResult[] {
  const results = calls.map((call) => notExecuted(call, `the answer was cut short (${finishReason}).`));
  appendResults(run, results);
  return results;
}

/** Executes the calls that may be executed here; others pause the run. */
async function executePending(run: ActiveRun, tools: ToolTable): Promise<Answered> {
  const calls = run.conversation.pending.filter((call) => isExecutedHere(run, tools, call));
  if (calls.length === 0) return { results: [], next: await afterCalls(run, [], undefined) };
  execute ??= (await import("./turn/tool-step.ts")).toolStep;
  const { results, finalText } = await execute(run, tools, calls);
  return { results, next: await afterCalls(run, results, finalText) };
}

async function afterCalls(
  run: ActiveRun,
  results: readonly ToolResult[],
  finalText: string | undefined,
): Promise<Next> {
  if (run.scope.isCancelled) return stop({ status: "cancelled" });
  if (run.conversation.pending.length > 0) return stop({ status: "paused" });
  if (finalText !== undefined) return endWith(run, finalText);
  const isStuckNow = results.some(({ outcome }) => isCorrection(outcome)) && (await isStuck(run));
  return isStuckNow ? stop({ status: "corrections" }) : goOn;
}

/** Ends a run with the text of a tool. */
async function endWith(run: ActiveRun, text: string): Promise<Next> {
  const output = await run.typed?.parse(text);
  return stop({ status: "completed", text, output });
}

/** Whether the model goes on making mistakes with a tool, however often it is corrected. */
async function isStuck(run: ActiveRun): Promise<boolean> {
  const corrections = await import("../executor/corrections.ts");
  // A run that goes on where one ended for this reason gives the model as many chances again.
  const from = run.resumed?.status === "corrections" ? run.conversation.inputLength : 0;
  return corrections.isStuck(
    run.conversation.messages,
    run.options.maxCorrections ?? defaultMaxCorrections,
    from,
  );
}

/** Unknown tools are executed here: the model is told of its mistake. */
function isExecutedHere(run: ActiveRun, tools: ToolTable, call: ToolCall): boolean {
  if (run.options.executeTools === false) return false;
  const tool = tools.get(call.toolName);
  return !tool || tool.execute !== undefined;
}

/** Calls that an earlier run left open are executed before the model is asked again. */
async function resumePending(run: ActiveRun): Promise<Next> {
  if (run.conversation.pending.length === 0 && run.resumed?.status !== "paused") return goOn;
  const active = run.agent;
  const calling = callingAgent(run);
  run.agent = calling;
  const tools = await toolsForTurn(run);
  run.typed = await collectorFor(run, tools);
  const next = await resumeCalls(run, tools);
  // The lead may have passed on while other calls waited; a handoff among the calls of now passes it again.
  if (run.agent === calling) run.agent = active;
  run.execute = undefined;
  return next;
}

async function resumeCalls(run: ActiveRun, tools: ToolTable): Promise<Next> {
  let next = goOn;
  if (run.conversation.pending.length > 0 && run.typed) ({ next } = await run.typed.collect());
  if (run.conversation.pending.length > 0) ({ next } = await executePending(run, tools));
  if ("stop" in next) return next;
  const { keptFinal } = await import("./resume/unfinished-final.ts");
  const finalText = keptFinal(run.conversation.messages);
  return finalText === undefined ? next : endWith(run, finalText);
}

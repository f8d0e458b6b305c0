import type { AnyAgent } from "../agent/agent.ts";
import { isCorrection } from "../message/is-correction.ts";
import type { AssistantMessage, ToolCall, ToolResult } from "../message/messages.ts";
import { notExecuted } from "../message/unanswered-calls.ts";
import type { Generation } from "../model/types.ts";
import type { ToolTable } from "../tool/table.ts";
import { emit, noteGeneration, warn, type ActiveRun, type TurnOutput } from "./active-run.ts";
import { appendResults } from "./append-results.ts";
import { modelStep } from "./model-step.ts";
import { speakerOf, toolsForTurn } from "./tools-for-turn.ts";
import { uniqueCallIds } from "./unique-call-ids.ts";
import type { RunWithin, toolStep } from "./tool-step.ts";
import type { typedOutput } from "./typed-output.ts";

/** What sees to the form of answers, loaded for the first that is asked for. */
let outputs: typeof typedOutput | undefined;

/** What executes calls, loaded for the first of them: a program that only talks does without. */
let execute: typeof toolStep | undefined;

const defaultMaxTurns = 20;
const defaultMaxCorrections = 3;

/**
 * The one loop: `run` and `stream` both are this, with other listeners. Each turn asks the active agent's model, then
 * executes the calls it asked for; the run ends when there are none, or when something stops it.
 * @throws RunCancelled on cancellation, and whatever cannot be told to the model.
 */
export async function runLoop(run: ActiveRun, runWithin: RunWithin): Promise<void> {
  const { session } = run.options;
  if (session) await (await import("./session-record.ts")).openSession(run, session);
  if (run.options.results) (await import("./external-results.ts")).takeResults(run);
  const { approvals, stateSecret, maxTokens, maxCost } = run.options;
  const { approvals: asked, signature } = run.resumed ?? {};
  if ([approvals, stateSecret, asked, signature].some((part) => part !== undefined))
    await (await import("./open-state.ts")).openState(run);
  if (maxTokens !== undefined || maxCost !== undefined)
    run.budget = new (await import("./budget.ts")).Budget(run.options);
  if (run.pending.length > 0 || run.resumed?.status === "paused") await resumePending(run, runWithin);
  const maxTurns = run.options.maxTurns ?? defaultMaxTurns;
  while (run.status === "running") {
    if (run.record) await run.record.save();
    if (run.turns >= maxTurns) run.status = "max-turns";
    else if (run.budget?.isSpent(run.modelCalls)) run.status = "budget";
    else await takeTurn(run, runWithin);
  }
}

async function takeTurn(run: ActiveRun, runWithin: RunWithin): Promise<void> {
  const speaker = run.agent;
  const tools = toolsForTurn(run);
  const registry = tools instanceof Promise ? await tools : tools;
  run.turn++;
  run.turns++;
  emit(run, { type: "turn-start", turn: run.turn, agent: speaker.name });
  for (const warning of registry.warnings) warn(run, warning);
  run.typed = undefined;
  if (outputOf(run)) await prepareOutput(run, registry);
  const generation = await modelStep(run, registry);
  const message = uniqueCallIds({ ...generation.message, agent: speaker.name });
  noteGeneration(run, generation);
  run.messages.push(message);
  run.pending = message.toolCalls;
  // Whoever looks after a crash must see which calls may have been made.
  if (run.record && message.toolCalls.length > 0) await run.record.save();
  // What cannot be measured shall not go on.
  run.budget?.isSpent(run.modelCalls);
  const results = await answerCalls(run, registry, message, generation, runWithin);
  endTurn(run, speaker, message, results, generation);
}

/** Decides what becomes of an answer: the end, a pause, more of the answer, or a batch of calls after which the run goes on. */
function answerCalls(
  run: ActiveRun,
  registry: ToolTable,
  message: AssistantMessage,
  generation: Generation,
  runWithin: RunWithin,
): readonly ToolResult[] | Promise<readonly ToolResult[]> {
  const { finishReason } = generation;
  if (isIncomplete(generation) || (run.typed && generation.refusal !== undefined)) {
    run.status = "incomplete";
    return refuseAll(run, message.toolCalls, finishReason);
  }
  if (generation.goesOn && run.pending.length === 0) return [];
  if (run.typed) return takeAnswer(run, run.typed, registry, runWithin);
  if (run.pending.length > 0) return executePending(run, registry, runWithin);
  run.status = "completed";
  return [];
}

/** Takes what of an answer is the one that was asked for, and executes the rest. */
async function takeAnswer(
  run: ActiveRun,
  typed: TurnOutput,
  registry: ToolTable,
  runWithin: RunWithin,
): Promise<readonly ToolResult[]> {
  const settled = await typed.take();
  if (run.pending.length === 0) return settled;
  return [...settled, ...(await executePending(run, registry, runWithin))];
}

/** Finds out in which form the agent that has the lead shall answer. */
async function prepareOutput(run: ActiveRun, registry: ToolTable): Promise<void> {
  const output = outputOf(run);
  if (output) outputs ??= (await import("./typed-output.ts")).typedOutput;
  run.typed = output && outputs && (await run.scope.race(outputs(run, registry, output)));
}

function outputOf({ options, agent }: ActiveRun): AnyAgent["output"] {
  return options.output ?? agent.output;
}

/** An answer that was cut or withheld: the arguments in it may be half of what was meant. */
function isIncomplete({ finishReason }: Generation): boolean {
  return finishReason === "length" || finishReason === "content-filter" || finishReason === "error";
}

function refuseAll(run: ActiveRun, calls: readonly ToolCall[], finishReason: string): readonly ToolResult[] {
  const results = calls.map((call) => notExecuted(call, `the answer was cut short (${finishReason}).`));
  appendResults(run, results);
  return results;
}

/** Executes what may be executed here; what may not keeps the run waiting. */
async function executePending(
  run: ActiveRun,
  registry: ToolTable,
  runWithin: RunWithin,
): Promise<readonly ToolResult[]> {
  const calls = run.pending.filter((call) => isExecutedHere(run, registry, call));
  if (calls.length > 0) execute ??= (await import("./tool-step.ts")).toolStep;
  const { results, finalText } =
    calls.length > 0 && execute
      ? await execute(run, registry, calls, runWithin)
      : { results: [], finalText: undefined };
  if (run.scope.isCancelled) run.status = "cancelled";
  else if (run.pending.length > 0) run.status = "paused";
  else if (finalText !== undefined) await endWith(run, finalText);
  else if (results.some(({ outcome }) => isCorrection(outcome)) && (await isStuck(run))) {
    run.status = "corrections";
  }
  return results;
}

async function endWith(run: ActiveRun, finalText: string): Promise<void> {
  run.status = "completed";
  run.text = finalText;
  await run.typed?.read(finalText);
}

/** Whether the model goes on making mistakes with a tool, however often it is corrected. */
async function isStuck(run: ActiveRun): Promise<boolean> {
  const corrections = await import("../executor/corrections.ts");
  // A run that goes on where one ended for this reason gives the model as many chances again.
  const from = run.resumed?.status === "corrections" ? run.inputLength : 0;
  return corrections.isStuck(run.messages, run.options.maxCorrections ?? defaultMaxCorrections, from);
}

/** Unknown tools count as ours: the model is told of its mistake. */
function isExecutedHere(run: ActiveRun, registry: ToolTable, call: ToolCall): boolean {
  if (run.options.executeTools === false) return false;
  const tool = registry.get(call.toolName);
  return !tool || tool.execute !== undefined;
}

/** Calls that an earlier run left open are executed before the model is asked again. */
async function resumePending(run: ActiveRun, runWithin: RunWithin): Promise<void> {
  const leader = run.agent;
  const speaker = speakerOf(run);
  run.agent = speaker;
  const registry = await toolsForTurn(run);
  await prepareOutput(run, registry);
  if (run.pending.length > 0) await run.typed?.take();
  if (run.pending.length > 0) await executePending(run, registry, runWithin);
  const finalText =
    run.status === "running" ? (await import("./kept-final.ts")).keptFinal(run.messages) : undefined;
  if (finalText !== undefined) await endWith(run, finalText);
  // The lead may have passed on while other calls waited; a handoff among the calls of now passes it again.
  if (run.agent === speaker) run.agent = leader;
  run.execute = undefined;
}

function endTurn(
  run: ActiveRun,
  speaker: AnyAgent,
  message: AssistantMessage,
  results: readonly ToolResult[],
  { finishReason, usage }: Generation,
): void {
  const { turn } = run;
  emit(run, { type: "turn-end", turn, agent: speaker.name, message, results, finishReason, usage });
}

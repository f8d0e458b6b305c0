import type { AnyAgent } from "../../agent/agent.ts";
import { ConfigurationError, SkeinError } from "../../errors.ts";
import type { ToolCall } from "../../message/messages.ts";
import type { ToolName } from "../../message/run-state.ts";
import { readAnswer } from "../../model/stream-model.ts";
import type { Generation, Model, ModelRequest, ToolChoice } from "../../model/types.ts";
import type { ToolTable } from "../../tool/table.ts";
import { describeValue } from "../../base/options/known-options.ts";
import { chain, type MaybePromise } from "../../base/util/maybe-promise.ts";
import { safeMessage } from "../../base/util/error-message.ts";
import { withoutSecrets } from "../../model/secrets.ts";
import { hasListeners } from "../events/emit.ts";
import { loadCompaction, loadLaterAnswers, loadSteps } from "../features.ts";
import type { ActiveRun } from "../state/active-run.ts";
import { modelCallOf, unfinishedCallOf } from "../state/meters.ts";
import { hasMiddleware, keyOfStep } from "../steps/perform-step.ts";
import { modelFailure } from "./model-failure.ts";
import { modelOfTurn } from "./model-of-turn.ts";
import { collectText, type ModelAttempts, reportedAnswer } from "./reported-answer.ts";
import type { Answer, OutputCollector, Turn } from "./turn.ts";

/** One model call: picks the model, reads the instructions, streams the answer to the listeners. */
export function modelStep(run: ActiveRun, turn: Turn): MaybePromise<Answer> {
  return chain(run.config.scope.race(modelOfTurn(run)), (model) => {
    run.useModel(model);
    return chain(instructionsOf(run), (own) =>
      callModel(run, turn, model, withInstructions(own, turn.tools)),
    );
  });
}

async function callModel(
  run: ActiveRun,
  { tools, output }: Turn,
  model: Model,
  instructions: string | undefined,
): Promise<Answer> {
  const { compaction } = run.config.options;
  if (compaction) {
    const { compact } = await loadCompaction();
    await compact(run, compaction, instructions, tools);
  }
  const later = run.config.durable && (await loadLaterAnswers()).laterAnswerOf(run);
  const plain = requestOf(run, tools, instructions, later);
  const request = output?.prepare(model, plain) ?? plain;
  run.beginAnswer();
  const startedAt = performance.now();
  try {
    if (hasMiddleware(run))
      return await run.config.scope.race(meteredAnswer(run, tools, model, request, output));
    const generation = await run.config.scope.race(answerOf(run, model, request, output));
    run.meters.addModelCall(modelCallOf(model, generation));
    return generation;
  } catch (error) {
    if (run.isAnswerOpen) {
      run.isAnswerLeft = true;
      run.meters.addModelCall(unfinishedCallOf(model));
    }
    // Within middlewares it is certain already whose failure it is.
    throw hasMiddleware(run) ? error : modelFailure(run, model, error);
  } finally {
    run.meters.addModelTime(performance.now() - startedAt);
  }
}

/** The model's answer, within the run's middlewares. */
async function meteredAnswer(
  run: ActiveRun,
  tools: ToolTable,
  model: Model,
  request: ModelRequest,
  output: OutputCollector | undefined,
): Promise<Answer> {
  const { answerWithin, meteredStep } = await loadSteps();
  const key = keyOfStep(run, "model");
  let isRemembered = true;
  const answer = await meteredStep<NamedAnswer>(run, key, async (count) => {
    isRemembered = false;
    const read = async (
      watched: ModelRequest,
      within: Model,
      attempts: ModelAttempts,
    ): Promise<Generation> => {
      try {
        return await answerOf(run, within, watched, output, attempts);
      } catch (error) {
        throw modelFailure(run, model, error);
      }
    };
    const generation = await answerWithin(run, model, request, key, count, read);
    const toolNames = noteNames(run, tools, generation.message.toolCalls);
    return toolNames.length > 0 ? { ...generation, toolNames } : generation;
  });
  for (const { agent, toolName, origin } of answer.toolNames ?? [])
    run.toolNames.set(agent, toolName, origin);
  // Those that it came without are of the agent's own tools, whatever lists a tool by the name now.
  if (isRemembered)
    for (const { toolName } of answer.message.toolCalls) run.toolNames.assume(run.agent.name, toolName);
  return answer;
}

/** An answer that is remembered, with the tools that its calls are for: toolsets may list others by then. */
type NamedAnswer = Answer & { readonly toolNames?: readonly ToolName[] };

/** Notes the tools of an answer's calls, and returns their names. */
export function noteNames(run: ActiveRun, tools: ToolTable, calls: readonly ToolCall[]): readonly ToolName[] {
  const { agent, toolNames } = run;
  for (const { toolName } of calls) toolNames.note(agent.name, toolName, tools);
  if (!tools.isDynamic) return [];
  return toolNames.entries.filter(
    (each) => each.agent === agent.name && calls.some(({ toolName }) => toolName === each.toolName),
  );
}

/** The model's answer, reported to the listeners as it comes. */
function answerOf(
  run: ActiveRun,
  model: Model,
  request: ModelRequest,
  output: OutputCollector | undefined,
  attempts?: ModelAttempts,
): Promise<Generation> {
  if (hasListeners(run)) return reportedAnswer(run, model, request, output, attempts);
  return readAnswer(model, request, (event) => collectText(run, event));
}

function requestOf(
  run: ActiveRun,
  toolTable: ToolTable,
  instructions: string | undefined,
  later: ModelRequest["later"],
): ModelRequest {
  const { agent } = run;
  assertChoice(agent, toolTable);
  const tools = toolTable.specs;
  const toolChoice = toolChoiceOf(agent, run.hasCalled(agent) || isRefused(agent.toolChoice, toolTable));
  return {
    ...(instructions !== undefined && { instructions }),
    messages: run.conversation.messages.slice(),
    tools,
    ...(toolChoice !== undefined && tools.length > 0 && { toolChoice }),
    ...(agent.parallelToolCalls !== undefined && { parallelToolCalls: agent.parallelToolCalls }),
    ...(agent.settings && { settings: agent.settings }),
    signal: run.config.scope.signal,
    ...(later && { later }),
  };
}

/** @throws ConfigurationError if `toolChoice` is an unknown tool. */
function assertChoice(agent: AnyAgent, toolTable: ToolTable): void {
  const { toolChoice } = agent;
  if (typeof toolChoice !== "object" || toolTable.has(toolChoice.tool)) return;
  if (isRefused(toolChoice, toolTable)) return;
  throw new ConfigurationError(
    `Agent "${agent.name}" sets toolChoice to "${toolChoice.tool}", but has no such tool. Available: ${toolTable.names.join(", ") || "none"}.`,
    { code: "invalid-agent", data: { agent: agent.name, tool: toolChoice.tool } },
  );
}

function isRefused(choice: ToolChoice | undefined, { refused }: ToolTable): boolean {
  return typeof choice === "object" && refused.has(choice.tool);
}

/** A choice that forces a call holds once for each agent, else a run would never end. */
function toolChoiceOf({ toolChoice }: AnyAgent, hasRunBefore: boolean): ToolChoice | undefined {
  if (toolChoice === undefined || !hasRunBefore) return toolChoice;
  return toolChoice === "required" || typeof toolChoice === "object" ? "auto" : toolChoice;
}

/** The agent's instructions, and below them what its tools bring. */
function withInstructions(own: string | undefined, { instructions }: ToolTable): string | undefined {
  if (instructions === "") return own;
  return own === undefined || own === "" ? instructions : `${own}\n\n${instructions}`;
}

function instructionsOf(run: ActiveRun): MaybePromise<string | undefined> {
  const { instructions } = run.agent;
  return typeof instructions === "function" ? computeInstructions(run, instructions) : instructions;
}

async function computeInstructions(
  run: ActiveRun,
  instructions: Extract<AnyAgent["instructions"], (...args: never) => unknown>,
): Promise<string | undefined> {
  const { agent } = run;
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the run's caller gave the context its type
    const context = run.context as never;
    const result = instructions({ context, agent, messages: run.conversation.messages.slice() });
    const text: unknown = typeof result === "string" ? result : await run.config.scope.race(result);
    if (typeof text === "string" || text === undefined) return text;
    throw new TypeError(`they must be a text, not ${describeValue(text)}.`);
  } catch (error) {
    if (run.config.scope.isCancelled) throw error;
    throw new SkeinError(`The instructions of the agent ${agent.name} failed: ${safeMessage(error)}`, {
      code: "instructions-failed",
      data: { agent: agent.name },
      cause: withoutSecrets(error),
    });
  }
}

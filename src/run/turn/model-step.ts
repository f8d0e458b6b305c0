import type { AnyAgent } from "../../agent/agent.ts";
import { ConfigurationError, ModelError, SkeinError } from "../../errors.ts";
import { readAnswer } from "../../model/stream-model.ts";
import type { Generation, Model, ModelRequest, ToolChoice } from "../../model/types.ts";
import type { ToolTable } from "../../tool/table.ts";
import { safeMessage } from "../../base/util/error-message.ts";
import { collectText, hasListeners, type ActiveRun } from "../state/active-run.ts";
import { modelOfTurn } from "./model-of-turn.ts";
import { hasMiddleware, keyOfStep } from "../steps/perform-step.ts";
import type * as ReportedAnswer from "./reported-answer.ts";
import type { ModelAttempts } from "./reported-answer.ts";

/** One model call: picks the model, asks for instructions, streams the answer to the listeners. */
export async function modelStep(run: ActiveRun, registry: ToolTable): Promise<Generation> {
  const chosen = run.scope.race(modelOfTurn(run));
  const model = chosen instanceof Promise ? await chosen : chosen;
  run.model = model;
  const given = instructionsOf(run);
  const instructions = given instanceof Promise ? await given : given;
  const { compaction } = run.options;
  if (compaction)
    await (await import("../compaction/compact.ts")).compact(run, compaction, instructions, registry.specs);
  const made = requestOf(run, registry, instructions);
  const request = run.typed?.prepare(model, made) ?? made;
  run.seen.add(run.agent);
  const startedAt = performance.now();
  try {
    return await run.scope.race(
      hasMiddleware(run) ? askWithin(run, model, request) : answerOf(run, model, request),
    );
  } finally {
    run.counts.modelMs += performance.now() - startedAt;
  }
}

async function askWithin(run: ActiveRun, model: Model, request: ModelRequest): Promise<Generation> {
  const [{ modelWithin, rememberStep }, { ModelAttempts }] = await Promise.all([
    import("../steps/middleware-chain.ts"),
    import("./reported-answer.ts"),
  ]);
  const key = keyOfStep(run, "model");
  return rememberStep(run, key, () => {
    const attempts = new ModelAttempts(run);
    return answerOf(run, modelWithin(run, model, key, attempts), request, attempts);
  });
}

/** Loaded by the first run with listeners. */
let reported: typeof ReportedAnswer | undefined;

/** The model's answer, reported to the listeners as it comes. */
async function answerOf(
  run: ActiveRun,
  model: Model,
  request: ModelRequest,
  attempts?: ModelAttempts,
): Promise<Generation> {
  try {
    if (!hasListeners(run)) return await readAnswer(model, request, (event) => collectText(run, event));
    reported ??= await import("./reported-answer.ts");
    return await reported.reportedAnswer(run, model, request, attempts);
  } catch (error) {
    return failed(run, model, error);
  }
}

/** Passes on why there is no answer, without the secrets of whoever asked for it. */
async function failed(run: ActiveRun, model: Model, error: unknown): Promise<never> {
  if (error instanceof SkeinError || run.scope.isCancelled) throw error;
  const { provider, modelId } = model;
  const { withoutSecrets } = await import("../../model/secrets.ts");
  const message = `${provider}:${modelId} failed: ${safeMessage(error)}`;
  throw new ModelError(message, "model-failed", { provider, modelId, cause: withoutSecrets(error) });
}

function requestOf(run: ActiveRun, registry: ToolTable, instructions: string | undefined): ModelRequest {
  const { agent } = run;
  assertChoice(agent, registry);
  const tools = registry.specs;
  const toolChoice = toolChoiceOf(agent, run.seen.has(agent) || isRefused(agent.toolChoice, registry));
  run.text = "";
  return {
    ...(instructions !== undefined && { instructions }),
    messages: run.conversation.messages.slice(),
    tools,
    ...(toolChoice !== undefined && tools.length > 0 && { toolChoice }),
    ...(agent.parallelToolCalls !== undefined && { parallelToolCalls: agent.parallelToolCalls }),
    ...(agent.settings && { settings: agent.settings }),
    signal: run.scope.signal,
  };
}

/** @throws ConfigurationError if a tool is to be called that there is not. */
function assertChoice(agent: AnyAgent, registry: ToolTable): void {
  const { toolChoice } = agent;
  if (typeof toolChoice !== "object" || registry.has(toolChoice.tool)) return;
  if (isRefused(toolChoice, registry)) return;
  throw new ConfigurationError(
    `The toolChoice of the agent ${agent.name} is the tool "${toolChoice.tool}", which is none of its tools: ${registry.names.join(", ") || "it has none"}.`,
    { code: "invalid-agent", data: { agent: agent.name, tool: toolChoice.tool } },
  );
}

function isRefused(choice: ToolChoice | undefined, { refused }: ToolTable): boolean {
  return typeof choice === "object" && refused.has(choice.tool);
}

/** A choice that forces a call holds once for each agent, else a run would never end. */
function toolChoiceOf({ toolChoice }: AnyAgent, seen: boolean): ToolChoice | undefined {
  if (toolChoice === undefined || !seen) return toolChoice;
  return toolChoice === "required" || typeof toolChoice === "object" ? "auto" : toolChoice;
}

function instructionsOf(run: ActiveRun): string | undefined | Promise<string> {
  const { instructions } = run.agent;
  return typeof instructions === "function" ? madeInstructions(run, instructions) : instructions;
}

async function madeInstructions(
  run: ActiveRun,
  instructions: Extract<AnyAgent["instructions"], (...args: never) => unknown>,
): Promise<string> {
  const { agent } = run;
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the run's caller gave the context its type
    const context = run.context as never;
    const made = instructions({ context, agent, messages: run.conversation.messages.slice() });
    return typeof made === "string" ? made : await run.scope.race(made);
  } catch (error) {
    if (run.scope.isCancelled) throw error;
    const { withoutSecrets } = await import("../../model/secrets.ts");
    throw new SkeinError(`The instructions of the agent ${agent.name} failed: ${safeMessage(error)}`, {
      code: "instructions-failed",
      data: { agent: agent.name },
      cause: withoutSecrets(error),
    });
  }
}

import { asAgent } from "../../agent/handoff.ts";
import { textResult, thrownResult } from "../../executor/finalize.ts";
import { stepOfCall } from "../../executor/step-of-call.ts";
import type { AroundCall, CallOutcome, ExecutionScope } from "../../executor/types.ts";
import type { ToolCall, ToolResult } from "../../message/messages.ts";
import type { StepKey } from "../../message/step-key.ts";
import { notExecuted } from "../../message/unanswered-calls.ts";
import { endRetries, streamModel } from "../../model/stream-model.ts";
import type { Model, ModelEvent, ModelRequest } from "../../model/types.ts";
import { isPlainObject } from "../../base/util/json.ts";
import type { ActiveRun } from "../state/active-run.ts";
import { RunCancelled } from "../cancel.ts";
import type { ModelStepInfo, StepInfo } from "../../tool/step-middleware.ts";
import type { Middleware } from "./middleware.ts";
import type { ModelAttempts } from "../turn/reported-answer.ts";
import type { RunResult } from "../result-types.ts";

type With<Name extends keyof Middleware> = Required<Pick<Middleware, Name>>;

/** What came of a step before, where a middleware of the run remembers it, or else what `perform` gives. */
export function rememberStep<T>(run: ActiveRun, key: StepKey, perform: () => Promise<T>): Promise<T> {
  const within = (next: () => Promise<T>, each: With<"step">) => async (): Promise<T> => each.step(key, next);
  return middlewaresWith(run, "step").reduceRight(within, perform)();
}

/** Drives a run within its middlewares. */
export function aroundRun(run: ActiveRun, perform: () => Promise<RunResult>): Promise<RunResult> {
  const { agent, context } = run;
  const { runId, scope, parent } = run.config;
  const info = { runId, agent, context, signal: scope.signal, parent };
  const within = (next: () => Promise<RunResult>, each: With<"run">) => async (): Promise<RunResult> =>
    each.run(info, next);
  return middlewaresWith(run, "run").reduceRight(within, perform)();
}

/** A model whose answers pass the run's middlewares. They stand around its retries, so what they throw is not tried again. */
export function modelWithin(run: ActiveRun, model: Model, key: StepKey, attempts: ModelAttempts): Model {
  const middlewares = middlewaresWith(run, "model");
  if (middlewares.length === 0) return model;
  const info: ModelStepInfo = {
    ...stepInfo(run, key),
    model,
    get attempts() {
      return attempts.count;
    },
  };
  const within =
    (next: (request: ModelRequest) => AsyncIterable<ModelEvent>, each: With<"model">) =>
    (request: ModelRequest): AsyncIterable<ModelEvent> =>
      each.model(request, info, next);
  const ask = middlewares.reduceRight(within, (request) => streamModel(model, request, attempts.onRetry));
  return { provider: model.provider, modelId: model.modelId, stream: (request) => askOnce(ask, request) };
}

/** The last event comes once the middlewares are done: nobody reads on after it, and what they do behind it would be left out. */
async function* askOnce(
  ask: (request: ModelRequest) => AsyncIterable<ModelEvent>,
  request: ModelRequest,
): AsyncGenerator<ModelEvent, void> {
  try {
    let last: ModelEvent | undefined;
    for await (const event of ask(request)) {
      if (event.type === "finish") last = event;
      else yield event;
    }
    if (last) yield last;
  } catch (error) {
    endRetries(error);
    throw error;
  }
}

/** What stands around a run's calls; `undefined` where no middleware does. */
export function aroundCalls(run: ActiveRun): AroundCall | undefined {
  const middlewares = middlewaresWith(run, "tool");
  if (middlewares.length === 0) return undefined;
  return async (call, scope, perform) => {
    let performed: CallOutcome | undefined;
    const execute = async (changed: ToolCall): Promise<ToolResult> => {
      performed = await perform({ ...changed, toolCallId: call.toolCallId });
      return "result" in performed ? performed.result : notExecuted(call, "it needs a person's approval.");
    };
    const info = callInfo(run, call, scope);
    const within =
      (next: (changed: ToolCall) => Promise<ToolResult>, each: With<"tool">) =>
      async (changed: ToolCall): Promise<ToolResult> =>
        each.tool(changed, info, next);
    try {
      const result = await run.config.scope.race(middlewares.reduceRight(within, execute)(call));
      return outcomeOf(call, result, performed);
    } catch (error) {
      return failedCall(call, scope, error);
    }
  };
}

/** Nobody but the function itself can say what its result means: only one that is a result counts. */
function outcomeOf(
  { toolCallId, toolName }: ToolCall,
  result: ToolResult,
  performed: CallOutcome | undefined,
): CallOutcome {
  if (!isPlainObject(result) || !Array.isArray(result.content))
    throw new TypeError(
      "A middleware's function `tool` must return a tool result, such as that of next(call).",
    );
  if (performed && "waiting" in performed && result.outcome === "not-executed") return performed;
  const settled = performed && "result" in performed ? performed : undefined;
  return { ...settled, result: { ...result, toolCallId, toolName } };
}

function failedCall(call: ToolCall, scope: ExecutionScope, error: unknown): CallOutcome {
  if (!(error instanceof RunCancelled) && !scope.signal?.aborted)
    return { result: thrownResult(call, error), error };
  const text = `The run was cancelled before ${call.toolName} finished. It may or may not have taken effect.`;
  return { result: textResult(call, text, "cancelled") };
}

function callInfo(run: ActiveRun, call: ToolCall, scope: ExecutionScope): StepInfo {
  const agent = scope.agent ? asAgent(scope.agent) : run.agent;
  return { ...stepInfo(run, stepOfCall(call, scope)), agent, context: scope.context };
}

function stepInfo({ agent, context, config }: ActiveRun, key: StepKey): StepInfo {
  return { key, agent, context, signal: config.scope.signal };
}

/** The middlewares of the run, and behind them those of the active agent, that have a function of that name. */
function middlewaresWith<Name extends keyof Middleware>(
  { config: { middlewares }, agent }: ActiveRun,
  name: Name,
): readonly With<Name>[] {
  const all: readonly Middleware[] = agent.middleware ? [...middlewares, ...agent.middleware] : middlewares;
  return all.filter((each): each is Middleware & With<Name> => each[name] !== undefined);
}

import { printStep, type StepKey } from "../../message/step-key.ts";
import { endRetries, streamModel } from "../../model/stream-model.ts";
import type { Model, ModelEvent, ModelRequest } from "../../model/types.ts";
import type { ActiveRun } from "../state/active-run.ts";
import type { ModelStepInfo, StepInfo } from "../../tool/step-middleware.ts";
import { assertRunResult, assertStepValue, checkEvents, placeOf } from "./check-step.ts";
import type { Middleware } from "./middleware.ts";
import type { ModelAttempts } from "../turn/reported-answer.ts";
import type { RunResult } from "../result-types.ts";

type With<Name extends keyof Middleware> = Required<Pick<Middleware, Name>>;

/** What came of a step before, where a middleware of the run remembers it, or else what `perform` gives. */
export function rememberStep<T>(run: ActiveRun, key: StepKey, perform: () => Promise<T>): Promise<T> {
  const within = (next: () => Promise<T>, each: With<"step">) => async (): Promise<T> => {
    const value = await each.step(key, next);
    assertStepValue(key, value, placeOf(run, each, "step"));
    return value;
  };
  return performNoting(run, key, perform, (noting) =>
    middlewaresWith(run, "step").reduceRight(within, noting)(),
  );
}

/** Notes an error of a `step` function for every step around: what the step itself throws is not one. */
async function performNoting<T>(
  { config: { stepFailures, scope } }: ActiveRun,
  key: StepKey,
  perform: () => Promise<T>,
  remember: (perform: () => Promise<T>) => Promise<T>,
): Promise<T> {
  let thrown: unknown;
  try {
    return await remember(() =>
      perform().catch((error: unknown) => {
        thrown = error;
        throw error;
      }),
    );
  } catch (error) {
    if (error !== thrown && !scope.isCancelled && error instanceof Error)
      for (let step: StepKey | undefined = key; step; step = step.parent)
        stepFailures?.set(printStep(step), error);
    throw error;
  }
}

/** Drives a run within its middlewares. */
export function aroundRun(run: ActiveRun, perform: () => Promise<RunResult>): Promise<RunResult> {
  const { agent, context } = run;
  const { runId, scope, parent } = run.config;
  const info = { runId, agent, context, signal: scope.signal, parent };
  const within = (next: () => Promise<RunResult>, each: With<"run">) => async (): Promise<RunResult> => {
    const result = await each.run(info, next);
    assertRunResult(result, placeOf(run, each, "run"));
    return result;
  };
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
      checkEvents(each.model(request, info, next), info.signal, placeOf(run, each, "model"));
  const ask = middlewares.reduceRight(within, (request) => streamModel(model, request, attempts.onRetry));
  return {
    provider: model.provider,
    modelId: model.modelId,
    stream: (request) => askOnce(ask, copyOf(request)),
  };
}

/** A request that a middleware may write into: the agent's settings, its tools and the history stay as they are. */
function copyOf(request: ModelRequest): ModelRequest {
  const { messages, tools, settings } = request;
  return {
    ...request,
    messages: messages.map((message) => ({ ...message })),
    ...(tools && { tools: tools.map((tool) => ({ ...tool })) }),
    ...(settings && { settings: { ...settings } }),
  };
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

function stepInfo({ agent, context, config }: ActiveRun, key: StepKey): StepInfo {
  return { key, agent, context, signal: config.scope.signal };
}

/** The middlewares of the run, and behind them those of the active agent, that have a function of that name. */
export function middlewaresWith<Name extends keyof Middleware>(
  { config: { middlewares }, agent }: ActiveRun,
  name: Name,
): readonly With<Name>[] {
  const all: readonly Middleware[] = agent.middleware ? [...middlewares, ...agent.middleware] : middlewares;
  return all.filter((each): each is Middleware & With<Name> => each[name] !== undefined);
}

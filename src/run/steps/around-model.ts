import { SkeinError } from "../../errors.ts";
import type { StepKey } from "../../message/step-key.ts";
import { addUsage, noUsage } from "../../message/usage.ts";
import { endRetries, streamModel } from "../../model/stream-model.ts";
import { markSelfTimed } from "../../model/model-events.ts";
import type { Generation, Model, ModelEvent, ModelRequest } from "../../model/types.ts";
import { isObject } from "../../base/util/json.ts";
import type { ModelStepInfo, StepMiddleware } from "../../tool/step-middleware.ts";
import type { ActiveRun } from "../state/active-run.ts";
import { modelCallOf, unfinishedCallOf } from "../state/meters.ts";
import { modelFailure } from "../turn/model-failure.ts";
import type { Answer } from "../turn/turn.ts";
import { ModelAttempts } from "../turn/reported-answer.ts";
import { isKnownEvent, isModelEvent } from "./check-events.ts";
import { invalidMiddleware, middlewareFailed, placeOf } from "./check-step.ts";
import type { CountCall } from "./metered-step.ts";
import { notAnswered, withheld } from "./withheld.ts";
import { middlewaresWith } from "./middleware-chain.ts";
import { guardNext } from "./next-guard.ts";
import { readOutput } from "./read-output.ts";
import { wholeAnswer } from "./whole-answer.ts";

/**
 * What `next` leads to.
 * @param assertCall - Throws unless the middleware may call `next` now, with this request.
 */
type Ask = (request: ModelRequest, assertCall?: () => void) => AsyncIterable<ModelEvent>;

type AroundModel = StepMiddleware & Required<Pick<StepMiddleware, "model">>;

/** Reads the answer of a model. */
type Read = (request: ModelRequest, model: Model, attempts: ModelAttempts) => Promise<Generation>;

/**
 * The answer of a model within the run's middlewares. Each answer of the model itself counts, whatever they do with it.
 * @param read - Reads the answer of the model that it is passed.
 */
export function answerWithin(
  run: ActiveRun,
  model: Model,
  request: ModelRequest,
  key: StepKey,
  count: CountCall,
  read: Read,
): Promise<Answer> {
  const attempts = new ModelAttempts(run);
  const { scope, parent } = run.config;
  const steps = run.watch?.steps;
  if (!steps) return answerOf(run, model, request, key, attempts, count, read);
  const info = { agent: run.agent, model, signal: scope.signal, parent, attempts };
  return steps.answer(request, info, (watched) => answerOf(run, model, watched, key, attempts, count, read));
}

async function answerOf(
  run: ActiveRun,
  model: Model,
  request: ModelRequest,
  key: StepKey,
  attempts: ModelAttempts,
  count: CountCall,
  read: Read,
): Promise<Answer> {
  const middlewares = middlewaresWith(run, "model");
  if (middlewares.length > 0) {
    attempts.count = 0;
    attempts.usage = noUsage;
    const answer = await read(request, modelWithin(run, model, key, attempts, count, middlewares), attempts);
    const { blocked } = run;
    return blocked ? { ...withheld(answer), blocked } : answer;
  }
  const generation = await read(request, model, attempts);
  count(modelCallOf(model, generation));
  return generation;
}

/** A model whose answers pass middlewares. They stand around its retries, so what they throw is not tried again. */
function modelWithin(
  run: ActiveRun,
  model: Model,
  key: StepKey,
  attempts: ModelAttempts,
  count: CountCall,
  middlewares: readonly AroundModel[],
): Model {
  const { agent, context, config } = run;
  const info: ModelStepInfo = {
    key,
    agent,
    context,
    signal: config.scope.signal,
    model,
    get attempts() {
      return attempts.count;
    },
    outputTool: run.output?.toolName,
    readOutput: (text) => readOutput(run, text),
    block: (reason) => run.block({ ...reason, agent: agent.name }),
    count: (calls) => calls.forEach(count),
  };
  const countUsage: CountCall = (call) => {
    attempts.usage = addUsage(attempts.usage ?? noUsage, call.usage);
    count(call);
  };
  const askOne: Ask = (request, assertCall) =>
    askModel(run, model, attempts, countUsage, request, assertCall);
  const isWhole = middlewares.some(({ wholeAnswers }) => wholeAnswers);
  const ask = middlewares.reduceRight<Ask>(
    (next, each) => (request, assertCall) => askMiddleware(run, each, info, next, request, assertCall),
    isWhole ? (request, assertCall) => wholeAnswer(run, request, (part) => askOne(part, assertCall)) : askOne,
  );
  return {
    provider: model.provider,
    modelId: model.modelId,
    stream: markSelfTimed((request) => askOnce(ask, copyOf(request))),
  };
}

/**
 * The events of a middleware, which must end with the whole answer.
 * @throws SkeinError that names the middleware for what its own code throws; what the model has thrown stays the model's.
 */
async function* askMiddleware(
  run: ActiveRun,
  each: AroundModel,
  info: ModelStepInfo,
  next: Ask,
  request: ModelRequest,
  assertCall: (() => void) | undefined,
): AsyncGenerator<ModelEvent, void> {
  assertCall?.();
  const { signal } = info;
  const place = placeOf(run, each, "model");
  const guard = guardNext(run, place);
  let last: ModelEvent | undefined;
  try {
    const events = each.model(request, info, (changed) =>
      // Checked once the events are read: until then nothing is asked.
      next(changed, () => {
        guard.assertOpen();
        if (!isObject(changed) || !Array.isArray(changed.messages))
          throw invalidMiddleware(`${place} must call next with a request.`);
      }),
    );
    if (!isObject(events) || !(Symbol.asyncIterator in events)) {
      // Of an async function without the star: what it rejects with, nobody waits for.
      if (events instanceof Promise) events.catch(() => undefined);
      throw invalidMiddleware(
        `${place} must return an async iterable, such as next(request); a function with awaits in it is written "async *model".`,
      );
    }
    for await (const event of events) {
      if (!isModelEvent(event))
        throw invalidMiddleware(
          `${place} yielded an invalid event of the type ${JSON.stringify(isObject(event) ? event["type"] : event)}.`,
        );
      if (last?.type === "finish")
        throw invalidMiddleware(`${place} yielded a "${event.type}" event after its "finish" event.`);
      last = event;
      // Of a blocked answer, neither the middlewares around this one nor readers get anything.
      if (!run.blocked) yield event;
      else if (event.type === "finish") yield { type: "finish", generation: withheld(event.generation) };
    }
    if (signal.aborted || last?.type === "finish") return;
    if (!run.blocked) throw invalidMiddleware(`${place} must yield a "finish" event last.`);
    yield { type: "finish", generation: notAnswered(info.model.modelId) };
  } catch (error) {
    if (signal.aborted || error instanceof SkeinError) throw error;
    throw middlewareFailed(place, error);
  } finally {
    guard.close();
  }
}

/** Asks the model itself. Its failures are its own, whatever the middlewares make of them. */
async function* askModel(
  run: ActiveRun,
  model: Model,
  attempts: ModelAttempts,
  count: CountCall,
  request: ModelRequest,
  assertCall: (() => void) | undefined,
): AsyncGenerator<ModelEvent, void> {
  assertCall?.();
  attempts.count++;
  let isAnswering = false;
  try {
    for await (const event of streamModel(model, request, attempts.onRetry)) {
      // As every reader of events does.
      if (!isKnownEvent(event)) continue;
      if (!isModelEvent(event)) throw new TypeError("it yielded an invalid event.");
      isAnswering = event.type !== "finish";
      run.isAnswerOpen = isAnswering;
      if (event.type === "finish") count(modelCallOf(model, event.generation));
      yield event;
    }
  } catch (error) {
    // What a middleware has aborted used something all the same.
    isAnswering ||= request.signal?.aborted === true;
    throw modelFailure(run, model, error);
  } finally {
    // It broke off, or nobody reads on. Where the run is cancelled, that has counted it.
    if (isAnswering && !run.config.scope.isCancelled) {
      run.isAnswerOpen = false;
      count(unfinishedCallOf(model));
    }
  }
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
async function* askOnce(ask: Ask, request: ModelRequest): AsyncGenerator<ModelEvent, void> {
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

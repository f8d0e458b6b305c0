import type { MaybePromise } from "../../base/util/maybe-promise.ts";
import type { CallOutcome } from "../../executor/types.ts";
import type { ToolCall, Usage } from "../../message/messages.ts";
import type { StepKey } from "../../message/step-key.ts";
import type { Generation, Model, ModelRequest } from "../../model/types.ts";
import type { AgentLike } from "../../tool/agent-like.ts";
import type { RunResult } from "../result-types.ts";
import type { Middleware, RunInfo } from "./middleware.ts";

/**
 * What watches runs from around their steps, outside all middlewares, and changes nothing. It is Skein's own, so none of what it does is
 * checked: as functions of a middleware it would make a turn several times as long (bench rows "tracing").
 */
export interface Instrument {
  /** Begins to watch a run. Rejects if that is impossible, which fails the run. */
  begin(info: RunInfo): MaybePromise<RunWatch>;
}

/** Watches one run. */
export interface RunWatch {
  /** Around the whole run. Rejects with what `next` rejects with. */
  run(next: () => Promise<RunResult>): Promise<RunResult>;
  /** Around its steps; absent where nobody wants to know of those. */
  readonly steps: StepWatch | undefined;
}

/** Watches the steps of one run. */
export interface StepWatch {
  /** Around a model call as a whole. Rejects with what `next` rejects with. */
  answer(
    request: ModelRequest,
    info: AnswerInfo,
    next: (request: ModelRequest) => Promise<Generation>,
  ): Promise<Generation>;
  /** Around the call of a tool. */
  call(call: ToolCall, info: CallInfo, next: () => Promise<CallOutcome>): Promise<CallOutcome>;
}

/** A model call that is watched. */
export interface AnswerInfo {
  readonly agent: AgentLike;
  readonly model: Model;
  /** The run's own. */
  readonly signal: AbortSignal;
  /** The step around the run's steps. */
  readonly parent: StepKey | undefined;
  /** What the answers have used by now, where middlewares may have asked for several or none. */
  readonly attempts: { readonly usage: Usage | undefined };
}

/** The call of a tool that is watched. */
export interface CallInfo {
  /** The tool as the model knows it; `undefined` for an unknown one. */
  readonly tool: { readonly name: string; readonly description?: string } | undefined;
  readonly signal: AbortSignal;
  /** The step around the call. */
  readonly parent: StepKey | undefined;
}

const instruments = new WeakMap<Middleware, Instrument>();

/** A middleware that changes nothing, and brings an instrument along. */
export function middlewareWith(instrument: Instrument): Middleware {
  const middleware: Middleware = { run: (_info, next) => next() };
  instruments.set(middleware, instrument);
  return middleware;
}

/** What the middlewares bring along to watch a run: one instrument, or all of them as one. */
export function instrumentOf(middlewares: readonly Middleware[]): Instrument | undefined {
  const all = middlewares.flatMap((each) => instruments.get(each) ?? []);
  if (all.length < 2) return all[0];
  return {
    begin: async (info) => watchTogether(await Promise.all(all.map(async (each) => each.begin(info)))),
  };
}

/** Watches a run for several: the first is the outermost. */
function watchTogether(watches: readonly RunWatch[]): RunWatch {
  const steps = watches.flatMap((each) => each.steps ?? []);
  return {
    run: (next) => watches.reduceRight((inner, each) => () => each.run(inner), next)(),
    steps: steps.length === 0 ? undefined : stepsTogether(steps),
  };
}

function stepsTogether(steps: readonly StepWatch[]): StepWatch {
  return {
    answer: (request, info, next) =>
      steps.reduceRight((inner, each) => (changed) => each.answer(changed, info, inner), next)(request),
    call: (call, info, next) =>
      steps.reduceRight((inner, each) => () => each.call(call, info, inner), next)(),
  };
}

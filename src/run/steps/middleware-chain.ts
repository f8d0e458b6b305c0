import { SkeinError } from "../../errors.ts";
import { safeMessage } from "../../base/util/error-message.ts";
import { longestSilence, unlessSilent } from "../../base/util/unless-silent.ts";
import type { StepKey } from "../../message/step-key.ts";
import type { ActiveRun } from "../state/active-run.ts";
import type { RunConfig } from "../state/run-config.ts";
import { noteFailure } from "../state/step-failures.ts";
import { assertRunResult, assertStepValue, placeOf } from "./check-step.ts";
import { instrumentOf } from "./instrument.ts";
import type { Middleware } from "./middleware.ts";
import { callWithNext, guardNext } from "./next-guard.ts";
import { remembersSteps } from "./perform-step.ts";
import type { RunResult } from "../result-types.ts";
import { isError } from "../../base/util/is-error.ts";

type With<Name extends keyof Middleware> = Required<Pick<Middleware, Name>>;

/** What came of a step before, where a middleware of the run remembers it, or else what `perform` gives. */
export function rememberStep<T>(run: ActiveRun, key: StepKey, perform: () => Promise<T>): Promise<T> {
  if (!remembersSteps(run)) return perform();
  const within = (next: () => Promise<T>, each: With<"step">) => async (): Promise<T> => {
    const place = placeOf(run, each, "step");
    // The errors of a journal stay its own, and those of a run that ends are its end.
    const isNamed = run.config.listed.includes(each) && !run.config.scope.isCancelled;
    const value = await callWithNext(
      guardNext(run, place),
      next,
      (guarded) => each.step(key, guarded),
      isNamed ? place : undefined,
    );
    assertStepValue(key, value, place);
    return value;
  };
  return performNoting(run, key, perform, (noting) =>
    middlewaresWith(run, "step").reduceRight(within, noting)(),
  );
}

function unanswered(): SkeinError {
  return new SkeinError(
    `The journal, or a middleware's function step, did not answer within ${longestSilence} seconds, and the run had to end. The last step may or may not be stored.`,
    { code: "middleware-failed" },
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
    const remembered = remember(() =>
      perform().catch((error: unknown) => {
        thrown = error;
        throw error;
      }),
    );
    return await unlessSilent(remembered, scope.signal, unanswered);
  } catch (error) {
    if (error === thrown || scope.isCancelled) throw error;
    const failure = isError(error) ? error : new Error(safeMessage(error));
    noteFailure(stepFailures, key, failure);
    throw error;
  }
}

/** Drives a run within its middlewares, and within what watches it. */
export async function aroundRun(run: ActiveRun, perform: () => Promise<RunResult>): Promise<RunResult> {
  const { agent, context, notes } = run;
  const { runId, scope, parent } = run.config;
  const conversation = conversationOf(run.config);
  const info = { runId, agent, context, signal: scope.signal, parent, conversation, notes };
  const within = (next: () => Promise<RunResult>, each: With<"run">) => async (): Promise<RunResult> => {
    const place = placeOf(run, each, "run");
    const guard = guardNext(run, place);
    let first: Promise<RunResult> | undefined;
    // A run has one end, however often a middleware asks for it.
    const once = (): Promise<RunResult> => {
      if (first) guard.warn("again");
      return (first ??= next());
    };
    const result = await callWithNext(guard, once, (guarded) => each.run(info, guarded), place);
    assertRunResult(result, place);
    return result;
  };
  const whole = middlewaresWith(run, "run").reduceRight(within, perform);
  const instrument = instrumentOf(run.config.middlewares);
  if (!instrument) return whole();
  run.watch = await instrument.begin(info);
  return run.watch.run(whole);
}

function conversationOf({ options, outer }: RunConfig): string | undefined {
  return options.session?.id ?? (outer && conversationOf(outer));
}

/** The middlewares of the run, and behind them those of the active agent, that have a function of that name. */
export function middlewaresWith<Name extends keyof Middleware>(
  { config: { middlewares }, agent }: ActiveRun,
  name: Name,
): readonly With<Name>[] {
  const all: readonly Middleware[] = agent.middleware ? [...middlewares, ...agent.middleware] : middlewares;
  return all.filter((each): each is Middleware & With<Name> => each[name] !== undefined);
}

import type { StepKey, StepKind } from "../../message/step-key.ts";
import type { ActiveRun } from "../state/active-run.ts";
import { rememberStep } from "./middleware-chain.ts";

/** The key of the run's step of that kind in this turn. */
export function keyOfStep({ config: { runId, parent }, meters }: ActiveRun, kind: StepKind): StepKey {
  return { runId, turn: meters.turn, kind, id: "", ...(parent && { parent }) };
}

/** Whether something stands around the steps of a run as things are. */
export function hasMiddleware({ config, agent }: ActiveRun): boolean {
  return config.middlewares.length > 0 || agent.middleware !== undefined;
}

/** Performs a step of the run, unless its middlewares remember it. */
export function performStep<T>(run: ActiveRun, kind: StepKind, perform: () => Promise<T>): Promise<T> {
  if (!hasMiddleware(run)) return perform();
  return rememberStep(run, keyOfStep(run, kind), perform);
}

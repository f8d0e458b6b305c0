import type { StepKey, StepKind } from "../../message/step-key.ts";
import type { ActiveRun } from "../state/active-run.ts";

/** The key of the run's step of that kind in this turn. */
export function keyOfStep({ runId, turn, parent }: ActiveRun, kind: StepKind): StepKey {
  return { runId, turn, kind, id: "", ...(parent && { parent }) };
}

/** Whether something stands around the steps of a run as things are. */
export function hasMiddleware({ middlewares, agent }: ActiveRun): boolean {
  return middlewares.length > 0 || agent.middleware !== undefined;
}

/** Performs a step of the run, unless its middlewares remember it. */
export function performStep<T>(run: ActiveRun, kind: StepKind, perform: () => Promise<T>): Promise<T> {
  if (!hasMiddleware(run)) return perform();
  return import("./middleware-chain.ts").then(({ rememberStep }) =>
    rememberStep(run, keyOfStep(run, kind), perform),
  );
}

import type { StepKey, StepKind } from "../../message/step-key.ts";
import type { ActiveRun } from "../state/active-run.ts";

/** The key of the run's step of that kind in this turn. */
export function keyOfStep({ config: { runId, parent }, meters }: ActiveRun, kind: StepKind): StepKey {
  return { runId, turn: meters.turn, kind, id: "", ...(parent && { parent }) };
}

/** Whether something stands around the steps of a run as things are. */
export function hasMiddleware({ config, agent }: ActiveRun): boolean {
  return config.middlewares.length > 0 || agent.middleware !== undefined;
}

/** Whether a middleware of the run remembers steps. Bench rows "tracing": asking none of them costs as much as a turn. */
export function remembersSteps({ config }: ActiveRun): boolean {
  return config.middlewares.some((each) => each.step !== undefined);
}

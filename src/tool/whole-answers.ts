import type { StepMiddleware } from "./step-middleware.ts";

type ModelMiddleware = NonNullable<StepMiddleware["model"]>;

/** The functions around model calls that are to see whole answers. */
const forWholeAnswers = new WeakSet<ModelMiddleware>();

/**
 * Marks a function that is to see answers as a whole: where a provider pauses in the middle of one, the model is called again before any
 * function around it sees the end. Only what a limit of the run ends in the middle comes unfinished, with `shouldContinue`.
 */
export function markForWholeAnswers(model: ModelMiddleware): ModelMiddleware {
  forWholeAnswers.add(model);
  return model;
}

/** Whether a function was marked so. */
export function isForWholeAnswers(model: ModelMiddleware): boolean {
  return forWholeAnswers.has(model);
}

import { printStep, type StepKey } from "../../message/step-key.ts";

/** Notes that a step failed for what fails the run, for every step around it. */
export function noteFailure(
  failures: Map<string, Error>,
  { decided: _, ...key }: StepKey,
  failure: Error,
): void {
  // As the steps around it name it.
  for (let step: StepKey | undefined = key; step; step = step.parent) failures.set(printStep(step), failure);
}

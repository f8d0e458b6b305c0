import { aroundCalls } from "./around-calls.ts";
import { answerWithin } from "./around-model.ts";
import { meteredStep } from "./metered-step.ts";
import { aroundRun, rememberStep } from "./middleware-chain.ts";
import { rememberCalls } from "./remember-calls.ts";

/** What stands around runs and their steps. */
export interface AroundSteps {
  readonly answerWithin: typeof answerWithin;
  readonly aroundCalls: typeof aroundCalls;
  readonly aroundRun: typeof aroundRun;
  readonly meteredStep: typeof meteredStep;
  readonly rememberCalls: typeof rememberCalls;
  readonly rememberStep: typeof rememberStep;
}

/** One file, loaded by the first run with middleware: an object, since a file of the build may export a name only once. */
export const aroundSteps: AroundSteps = {
  answerWithin,
  aroundCalls,
  aroundRun,
  meteredStep,
  rememberCalls,
  rememberStep,
};

import { answerWithin } from "./around-model.ts";
import { executeWithin } from "./execute-within.ts";
import { meteredStep } from "./metered-step.ts";
import { aroundRun, rememberStep } from "./middleware-chain.ts";
import { finishedCalls } from "./remember-calls.ts";
import { hasRun, rememberRun } from "./remember-run.ts";
import { rememberText } from "./remember-text.ts";

/** What stands around runs and their steps. */
export interface AroundSteps {
  readonly answerWithin: typeof answerWithin;
  readonly aroundRun: typeof aroundRun;
  readonly executeWithin: typeof executeWithin;
  readonly finishedCalls: typeof finishedCalls;
  readonly meteredStep: typeof meteredStep;
  readonly hasRun: typeof hasRun;
  readonly rememberRun: typeof rememberRun;
  readonly rememberStep: typeof rememberStep;
  readonly rememberText: typeof rememberText;
}

/** One file, loaded by the first run with middleware: an object, since a file of the build may export a name only once. */
export const aroundSteps: AroundSteps = {
  answerWithin,
  aroundRun,
  executeWithin,
  finishedCalls,
  meteredStep,
  hasRun,
  rememberRun,
  rememberStep,
  rememberText,
};

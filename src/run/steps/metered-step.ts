import type { StepKey } from "../../message/step-key.ts";
import type { ModelCall } from "../../model/model-call.ts";
import type { ActiveRun } from "../state/active-run.ts";
import { rememberStep } from "./middleware-chain.ts";
import { remembersSteps } from "./perform-step.ts";

/** Counts one answer of a model. */
export type CountCall = (call: ModelCall) => void;

/** What a step that calls models came to, with their answers: a run that remembers the step has used them too. */
type Metered<T> = T & { readonly modelCalls?: readonly ModelCall[] };

/** Performs a step that calls models. Each of their answers counts once, whether the step is performed or remembered. */
export async function meteredStep<T extends object>(
  run: ActiveRun,
  key: StepKey,
  perform: (count: CountCall) => Promise<T>,
): Promise<T> {
  const { meters } = run;
  if (!remembersSteps(run)) return perform((call) => meters.addModelCall(call));
  let isPerformed = false;
  const value = await rememberStep<Metered<T>>(run, key, async () => {
    isPerformed = true;
    const modelCalls: ModelCall[] = [];
    const performed = await perform((call) => {
      // At once: what fails later has used it all the same.
      if (!run.isAnswerLeft) meters.addModelCall(call);
      modelCalls.push(call);
    });
    return { ...performed, modelCalls };
  });
  if (!isPerformed) {
    for (const call of value.modelCalls ?? []) meters.addModelCall(call, true);
    if (key.kind === "model") run.replayAnswer();
  }
  return value;
}

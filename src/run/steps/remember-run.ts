import { isThrown } from "../../base/util/is-error.ts";
import type { StepKey } from "../../message/step-key.ts";
import type { ActiveRun } from "../state/active-run.ts";
import { rememberStep } from "./middleware-chain.ts";
import { keyOfStep } from "./perform-step.ts";

/** What is remembered of a run that begins. */
interface StartedRun {
  readonly runId: string;
}

/** Says of a run that nothing remembers its beginning. */
class NotThere extends Error {}

/** Has it remembered that a run begins. Returns the run that was started before under this journal, if one was. */
export function rememberRun(run: ActiveRun): Promise<StartedRun> {
  const { runId } = run.config;
  return rememberStep(run, keyOfStart(run), async () => ({ runId }));
}

/** Whether what remembers steps has had this run from its beginning. */
export async function hasRun(run: ActiveRun): Promise<boolean> {
  try {
    const started = await rememberStep(run, keyOfStart(run), () =>
      Promise.reject<StartedRun>(new NotThere("The run has not begun here.")),
    );
    return started.runId === run.config.runId;
  } catch (error) {
    if (isThrown(error, NotThere)) return false;
    throw error;
  }
}

/** The key that the first step of every run has. */
function keyOfStart(run: ActiveRun): StepKey {
  return { ...keyOfStep(run, "run"), turn: 0, runId: "" };
}

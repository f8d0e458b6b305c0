import { resumePending } from "./resume/resume-pending.ts";
import type { ActiveRun } from "./state/active-run.ts";
import { chain, type MaybePromise } from "../base/util/maybe-promise.ts";
import { goOn, type Next, type Outcome } from "./state/outcome.ts";
import { appendUnread, receiveMessages } from "./turn/append-unread.ts";
import { limitReached } from "./turn/limit-reached.ts";
import { takeTurn } from "./turn/take-turn.ts";

/**
 * The one loop, behind both `run` and `stream`, which differ in their listeners only. Each turn calls the active agent's model, then
 * executes the calls in its answer; the run ends when there are none, or when something stops it.
 * @throws RunCancelled on cancellation, and every error that a model cannot correct.
 */
export async function runLoop(run: ActiveRun): Promise<Outcome> {
  let next = await resumePending(run);
  for (;;) {
    if ("next" in next) next = limitReached(run) ?? (await turnOf(run));
    else if (next.stop.status !== "completed") break;
    else if (!(await hasMoreAfter(run))) break;
    // The user has said more than was answered.
    else next = goOn;
  }
  run.refuseMessages();
  return next.stop;
}

function turnOf(run: ActiveRun): MaybePromise<Next> {
  run.hasAnswered = false;
  // What the user has sent meanwhile is not what the model answers that was asked before.
  if (run.notes.isAwaited(run.meters.turn + 1)) return takeTurn(run);
  return chain(receiveMessages(run), () => {
    appendUnread(run, "steer");
    return takeTurn(run);
  });
}

/** Whether the user has said more than was answered. */
function hasMoreAfter(run: ActiveRun): MaybePromise<boolean> {
  // Should nobody know, since a store fails, the answer stands all the same: the model is not to give it once more.
  run.hasAnswered = true;
  return chain(receiveMessages(run), () => appendUnread(run, "queue"));
}

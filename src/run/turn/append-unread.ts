import type { MaybePromise } from "../../base/util/maybe-promise.ts";
import type { SentMessage } from "../../message/run-state.ts";
import { emit } from "../events/emit.ts";
import type { ActiveRun } from "../state/active-run.ts";

/**
 * Appends what the user has sent while the run worked, where no call waits for its result.
 * @param place - `"steer"`: a model is about to be called. `"queue"`: the agent has answered; one queued message is appended, which is
 * answered before the next.
 * @returns whether there was something.
 */
export function appendUnread(run: ActiveRun, place: SentMessage["when"]): boolean {
  if (run.unread.length === 0 || run.conversation.pending.length > 0) return false;
  const steering = run.unread.filter(({ when }) => when === "steer");
  const due = steering.length > 0 || place === "steer" ? steering : run.unread.slice(0, 1);
  run.markRead(due);
  for (const { when, message } of due) {
    const added = run.conversation.append(message);
    emit(run, { type: "user-message", agent: run.nextAgent.name, when, message: added });
  }
  return due.length > 0;
}

/** Takes over what other programs have sent to a durable run. */
export function receiveMessages(run: ActiveRun): MaybePromise<void> {
  const { durable, parent } = run.config;
  if (!durable || parent) return undefined;
  return durable.userMessages().then((all) => run.receive(all));
}

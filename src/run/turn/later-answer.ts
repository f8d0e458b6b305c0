import { answerWait } from "../../message/waits.ts";
import { type AnswerLater, AnswerLaterError } from "../../model/answer-later.ts";
import type { ActiveRun } from "../state/active-run.ts";
import { prefixOfAnswers } from "../state/notes-of-run.ts";
import { stop, type Next } from "../state/outcome.ts";

/** What lets the model of a turn answer later. In a run within a durable run there is nothing: the calls of that are under way. */
export function laterAnswerOf(run: ActiveRun): AnswerLater | undefined {
  const { record, parent } = run.config;
  if (!record || parent) return undefined;
  const { notes, meters } = run;
  let request = 0;
  const nameOf = (slot: string): string => `${prefixOfAnswers}${meters.turn}.${request}.${slot}`;
  return {
    read: (slot) => notes.get(nameOf(slot)),
    note: async (slot, text) => {
      const name = nameOf(slot);
      if (text === undefined) notes.remove(name);
      else notes.set(name, text);
      await record.save();
    },
    leave: (until) => {
      throw new AnswerLaterError(until);
    },
    end: () => void request++,
  };
}

/**
 * What follows where a model answers later: the run is left until then.
 * @throws any other error.
 */
export function leaveUntilAnswer(error: unknown): Next {
  if (!(error instanceof AnswerLaterError)) throw error;
  return stop({ status: "paused", wait: answerWait(error.until) });
}

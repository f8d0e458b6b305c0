import type { AnswerLater } from "../../model/answer-later.ts";
import type { ActiveRun } from "./active-run.ts";
import { prefixOfAnswers as prefix } from "./answer-notes.ts";

/** What lets the model of a turn answer later: present in a durable run, not in those within it, whose calls are under way. */
export function laterAnswerOf(run: ActiveRun): { readonly later?: AnswerLater } {
  const { record, durable, parent } = run.config;
  if (!durable || !record || parent) return {};
  const { notes, meters } = run;
  let request = 0;
  const nameOf = (slot: string): string => `${prefix}${meters.turn}.${request}.${slot}`;
  return {
    later: {
      read: (slot) => notes.get(nameOf(slot)),
      note: async (slot, text) => {
        const name = nameOf(slot);
        if (text === undefined) notes.remove([name]);
        else notes.set(name, text);
        await record.save();
      },
      end: () => void request++,
    },
  };
}

/** 1 while the model of the turn has not answered and has noted what it waits for: the turn goes on where the run is resumed. */
export function unansweredTurns({ notes, meters }: ActiveRun): 0 | 1 {
  return notes.namesWith(`${prefix}${meters.turn}.`).length > 0 ? 1 : 0;
}

/** Whether the turn that is to begin was left before its model had answered. */
export function awaitsAnswer({ notes, meters }: ActiveRun): boolean {
  return notes.namesWith(`${prefix}${meters.turn + 1}.`).length > 0;
}

import type { AnswerLater } from "../../model/answer-later.ts";
import type { ActiveRun } from "./active-run.ts";
import type { NotesOfRun } from "./notes-of-run.ts";

// What a model waits for is a note of the run, so it is stored with the state: `answer.<turn>.<request of the turn>.<slot>`.

const prefix = "answer.";

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

/** The model has answered. */
export function forgetLaterAnswers(notes: NotesOfRun): void {
  notes.remove(notes.namesWith(prefix));
}

/**
 * What models have noted of requests that are not answered.
 * @param notes - Those of a state.
 */
export function notesOfAnswers(notes: Readonly<Record<string, string>> = {}): readonly string[] {
  return Object.keys(notes).flatMap((name) => (name.startsWith(prefix) ? (notes[name] ?? []) : []));
}

import type { NotesOfRun } from "./notes-of-run.ts";

// What a model waits for is a note of the run, so it is stored with the state: `answer.<turn>.<request of the turn>.<slot>`.

/** What the names of such notes begin with. */
export const prefixOfAnswers = "answer.";

/** The model has answered. */
export function forgetLaterAnswers(notes: NotesOfRun): void {
  notes.remove(notes.namesWith(prefixOfAnswers));
}

/**
 * What models have noted of requests that are not answered.
 * @param notes - Those of a state.
 */
export function notesOfAnswers(notes: Readonly<Record<string, string>> = {}): readonly string[] {
  return Object.keys(notes).flatMap((name) => (name.startsWith(prefixOfAnswers) ? (notes[name] ?? []) : []));
}

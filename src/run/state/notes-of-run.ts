import { ConfigurationError } from "../../errors.ts";
import type { RunState } from "../../message/run-state.ts";
import type { RunNotes } from "../steps/middleware.ts";

const mostNotes = 16;
const longestName = 100;
const longestText = 1_000;

/** What the names of notes begin with that models make whose answers come later: `answer.<turn>.<request of the turn>.<slot>`. */
export const prefixOfAnswers = "answer.";

const none: readonly string[] = [];

/**
 * What models have noted of requests that are not answered.
 * @param notes - Those of a state.
 * @param place - What follows the prefix in their names; anything by default.
 */
export function answerNotes(notes: RunState["notes"], place: string = ""): readonly string[] {
  if (!notes) return none;
  return Object.entries(notes).flatMap(([name, text]) =>
    name.startsWith(prefixOfAnswers + place) ? text : [],
  );
}

/** What middlewares keep with a run: its state has it, and the run that goes on from that. */
export class NotesOfRun implements RunNotes {
  /** As a state has them; `undefined` where there are none. Replaced, never changed. */
  stored: Readonly<Record<string, string>> | undefined;

  get(name: string): string | undefined {
    return this.stored && Object.hasOwn(this.stored, name) ? this.stored[name] : undefined;
  }

  set(name: string, text: string): void {
    const notes = new Map(Object.entries(this.stored ?? {})).set(name, text);
    if (!/^[a-z][a-z0-9.-]*$/.test(name) || name.length > longestName || text.length > longestText)
      throw invalidNote(
        `The note "${name.slice(0, longestName)}" has an invalid name, or more than ${longestText} characters.`,
      );
    if (notes.size > mostNotes) throw invalidNote(`A run keeps ${mostNotes} notes at most.`);
    this.stored = Object.fromEntries(notes);
  }

  /** Forgets the texts whose names begin so. */
  remove(prefix: string): void {
    if (!this.stored) return;
    const rest = Object.entries(this.stored).filter(([name]) => !name.startsWith(prefix));
    this.stored = rest.length > 0 ? Object.fromEntries(rest) : undefined;
  }

  /** Whether the model of a turn has noted what it waits for, and has not answered. */
  isAwaited(turn: number): boolean {
    return answerNotes(this.stored, `${turn}.`).length > 0;
  }

  /** Takes over those of the state that the run continues. */
  continueFrom(notes: Readonly<Record<string, string>> | undefined): void {
    this.stored = notes;
  }
}

function invalidNote(message: string): ConfigurationError {
  return new ConfigurationError(message, { code: "invalid-middleware" });
}

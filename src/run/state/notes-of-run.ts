import { ConfigurationError } from "../../errors.ts";
import type { RunNotes } from "../steps/middleware.ts";

const mostNotes = 16;
const longestName = 100;
const longestText = 1_000;
const none: readonly string[] = [];

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

  /** The names of those that begin with a text. */
  namesWith(prefix: string): readonly string[] {
    return this.stored ? Object.keys(this.stored).filter((name) => name.startsWith(prefix)) : none;
  }

  /** Forgets texts. */
  remove(names: readonly string[]): void {
    if (names.length === 0) return;
    const rest = Object.entries(this.stored ?? {}).filter(([name]) => !names.includes(name));
    this.stored = rest.length > 0 ? Object.fromEntries(rest) : undefined;
  }

  /** Takes over those of the state that the run continues. */
  continueFrom(notes: Readonly<Record<string, string>> | undefined): void {
    this.stored = notes;
  }
}

function invalidNote(message: string): ConfigurationError {
  return new ConfigurationError(message, { code: "invalid-middleware" });
}

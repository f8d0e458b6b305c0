import type { Interface } from "node:readline";
import { type SeveralLines, severalLines } from "./several-lines.ts";

/** What is being typed: of a message, or of the answer to a question. */
interface Draft {
  readonly several: SeveralLines;
  /** The line that is edited, while another draft is typed. */
  line: string;
}

/** Keeps what is typed for one apart from what is typed for another. */
export interface Drafts {
  /** The lines of what is being typed. */
  readonly several: SeveralLines;
  /** Lays aside what is being typed, and takes up what was typed in answer to this question, or of the message, after `begin`. */
  goOnWith(question: object | undefined, begin?: () => void): void;
  /** Forgets what is being typed. */
  drop(): void;
  /** The reader has ended: nothing is edited any more. */
  end(): void;
}

/**
 * Keeps drafts of what a reader reads. Of lines that nobody types, there is one: nobody sees where a question comes between, so an
 * input that has begun goes on.
 */
export function keepDrafts(
  reader: Interface,
  { isTyped, isEdited }: { readonly isTyped: boolean; readonly isEdited: boolean },
): Drafts {
  const message: Draft = { several: severalLines(), line: "" };
  const answers = new WeakMap<object, Draft>();
  let draft = message;
  let isReading = true;

  const draftOf = (question: object | undefined): Draft => {
    if (!question || !isTyped) return message;
    const answer = answers.get(question) ?? { several: severalLines(), line: "" };
    answers.set(question, answer);
    return answer;
  };
  const clearLine = (): void => {
    if (!isEdited || !isReading) return;
    reader.write(null, { ctrl: true, name: "e" });
    reader.write(null, { ctrl: true, name: "u" });
  };
  return {
    get several() {
      return draft.several;
    },
    goOnWith(question, begin) {
      draft.line = reader.line;
      clearLine();
      draft = draftOf(question);
      begin?.();
      if (isEdited && isReading && draft.line !== "") reader.write(draft.line);
    },
    drop() {
      draft.several.take();
      clearLine();
    },
    end: () => void (isReading = false),
  };
}

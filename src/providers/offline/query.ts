import { ideasOf, isEmptyWord, isPast, isWeakStem, sentenceWords, stem } from "./vocabulary.ts";

/** Something to look for. */
export interface Term {
  /** How much it counts among other terms: background and synonyms less than the user's own words. */
  readonly weight: number;
  /** How sure it is that this was meant. */
  readonly certainty: number;
  /** Whether it can be evidence alone. */
  readonly isTelling: boolean;
}

/** A word found with a letter more, less or other than the user's. */
export const misspelt: Term = { weight: 1, certainty: 0.8, isTelling: true };

/** What a request asks for: stems of its words, and the ideas they stand for. */
export function queryTerms(text: string): Map<string, Term> {
  const terms = new Map<string, Term>();
  const said = sentenceWords(withoutRefusals(text));
  const add = (name: string, term: Term): void => {
    if (term.weight > (terms.get(name)?.weight ?? 0)) terms.set(name, term);
  };
  for (const [index, word] of said.entries()) {
    if (isEmptyWord(word) || /^\d+$/u.test(word)) continue;
    const weight = isBackground(word, said[index - 1]) ? 0.4 : 1;
    const sure = isUndone(said.slice(Math.max(0, index - 3), index)) ? 0.5 : 1;
    const form = stem(word);
    add(form, { weight, certainty: sure, isTelling: !isWeakStem(form) });
    for (const { name, isWeak } of ideasOf(form)) {
      add(name, { weight: weight * 0.8, certainty: sure * 0.8, isTelling: !isWeak });
    }
  }
  if (/\d/u.test(text)) add("number", { weight: 0.5, certainty: 1, isTelling: false });
  return terms;
}

/** What happened ("bought") and what the user has ("my order") is the background of a wish, seldom the wish. */
function isBackground(word: string, before: string | undefined): boolean {
  return isPast(word) || before === "my";
}

/** "Undo my purchase" does not ask to purchase. */
function isUndone(before: readonly string[]): boolean {
  return before.some((word) => /^(?:undo|cancel|reverse|revoke|withdraw|stop)$/u.test(word));
}

/** Leaves out what the user does not want: "I don't want a refund, show me the list" asks for the list. */
function withoutRefusals(text: string): string {
  const refusal = /\b(?:do not|don['’]?t|never)\b(?! (?:you|we|i)\b)[^,.;:!?–]*?(?=[,.;:!?–]| - | but |$)/giu;
  return text.replaceAll(refusal, " ");
}

/** Whether a text asks to look something up; "can you ..." asks for a deed. */
export function isQuestion(text: string): boolean {
  return /^\W*(?:what|which|who|when|where|is|are|do|does|did|how many|how much)\b/iu.test(text);
}

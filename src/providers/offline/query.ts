import { ideasOf, isEmptyWord, isPast, isWeakStem, sentenceWords, stem } from "./vocabulary.ts";

/** A term of the search for tools. */
export interface Term {
  /** Its weight among the terms: background and synonyms count less than the user's own words. */
  readonly weight: number;
  /** How certain it is that the user meant it. */
  readonly certainty: number;
  /** Whether it can be evidence on its own. */
  readonly isTelling: boolean;
}

/** The properties of a word that matches with one letter added, missing or changed. */
export const misspelt: Term = { weight: 1, certainty: 0.8, isTelling: true };

/** The terms of a request: the stems of its words, and the ideas that they belong to. */
export function queryTerms(text: string): Map<string, Term> {
  const terms = new Map<string, Term>();
  const words = sentenceWords(withoutRefusals(text));
  const add = (name: string, term: Term): void => {
    if (term.weight > (terms.get(name)?.weight ?? 0)) terms.set(name, term);
  };
  for (const [index, word] of words.entries()) {
    if (isEmptyWord(word) || /^\d+$/u.test(word)) continue;
    const weight = isBackground(word, words[index - 1]) ? 0.4 : 1;
    const sure = isUndone(words.slice(Math.max(0, index - 3), index)) ? 0.5 : 1;
    const form = stem(word);
    add(form, { weight, certainty: sure, isTelling: !isWeakStem(form) });
    for (const { name, isWeak } of ideasOf(form)) {
      add(name, { weight: weight * 0.8, certainty: sure * 0.8, isTelling: !isWeak });
    }
  }
  if (/\d/u.test(text)) add("number", { weight: 0.5, certainty: 1, isTelling: false });
  return terms;
}

/** Past events ("bought") and possessions ("my order") are the background of a request, seldom the request itself. */
function isBackground(word: string, before: string | undefined): boolean {
  return isPast(word) || before === "my";
}

/** "Undo my purchase" does not request a purchase. */
function isUndone(before: readonly string[]): boolean {
  return before.some((word) => /^(?:undo|cancel|reverse|revoke|withdraw|stop)$/u.test(word));
}

/** Removes what the user does not want: "I don't want a refund, show me the list" requests the list. */
function withoutRefusals(text: string): string {
  const refusal = /\b(?:do not|don['’]?t|never)\b(?! (?:you|we|i)\b)[^,.;:!?–]*?(?=[,.;:!?–]| - | but |$)/giu;
  return text.replaceAll(refusal, " ");
}

/** Whether a text asks for information, unlike "can you ...", which asks for an action. */
export function isQuestion(text: string): boolean {
  return /^\W*(?:what|which|who|when|where|is|are|do|does|did|how many|how much)\b/iu.test(text);
}

import { ideasOf, isEmptyWord, isPast, isWeakStem, sentenceWords, stem } from "./vocabulary.ts";

/** A term of the search for tools. */
export interface Term {
  /** Its weight among the terms: background and synonyms count less than the user's own words. */
  readonly weight: number;
  /** How certain it is that the user meant it. */
  readonly certainty: number;
  /** Whether it can be evidence on its own. */
  readonly isTelling: boolean;
  /** Whether the user only mentions it: past events and possessions ask for nothing to be done. */
  readonly isMention?: boolean;
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
  const verb = verbIndex(words);
  const asksQuestion = isQuestion(text);
  for (const [index, word] of words.entries()) {
    if (isEmptyWord(word) || /^\d+$/u.test(word)) continue;
    const isVerb = index === verb;
    const before = words[index - 1];
    const isEvent = !isVerb && !asksQuestion && isPastEvent(word, words.slice(Math.max(0, index - 3), index));
    const weight = isVerb ? 1.3 : isEvent || before === "my" ? 0.4 : 1;
    const sure = isEvent || isUndone(words.slice(Math.max(0, index - 3), index)) ? 0.5 : 1;
    const form = stem(word);
    const isMention =
      !isVerb && (before === "my" || isPastEvent(word, words.slice(Math.max(0, index - 3), index)));
    const isTelling = isVerb && verbsOfTheirOwn.has(word);
    add(form, { weight, certainty: sure, isTelling: isTelling || !isWeakStem(form), isMention });
    for (const { name, isWeak } of ideasOf(form)) {
      add(name, { weight: weight * 0.8, certainty: sure * 0.8, isTelling: isTelling || !isWeak, isMention });
    }
  }
  if (/\d/u.test(text)) add("number", { weight: 0.5, certainty: 1, isTelling: false });
  return terms;
}

/** Words that say nothing as nouns, but what to do as verbs: "text me". */
const verbsOfTheirOwn: ReadonlySet<string> = new Set(["text"]);

const leadIn: ReadonlySet<string> = new Set(
  "please kindly hi hello hey ok okay so well now and then just can could would will you we id ill us to lets let me help try i want need like".split(
    " ",
  ),
);
const nounMarkers: ReadonlySet<string> = new Set(
  "a an the my our your this that these those some any no one two three each every".split(" "),
);

/** The stem of the verb that a request begins with ("return" in "I want to return my order"), and the ideas that it belongs to. */
export function requestVerb(text: string): readonly string[] {
  const words = sentenceWords(withoutRefusals(text));
  const word = words[verbIndex(words)];
  if (word === undefined) return [];
  const form = stem(word);
  return [form, ...ideasOf(form).map(({ name }) => name)];
}

/** The position of the verb of an imperative, or of what the user wants to do; -1 if the request has neither. */
function verbIndex(words: readonly string[]): number {
  const please = words.lastIndexOf("please") + 1;
  const polite = words[please] ?? "";
  if (please > 1 && !isEmptyWord(polite) && !leadIn.has(polite)) return please;
  const at = words.findIndex((word) => !leadIn.has(word));
  const before = words.slice(0, Math.max(at, 0));
  const word = words[at] ?? "";
  const wishes = before.findLast((each) => /^(?:want|need|like)$/u.test(each));
  // "I want a refund" and "I lost my bag" name no action to take.
  const isWish =
    wishes === undefined ? before.at(-1) !== "i" || isModal(before.at(-2)) : before.at(-1) === "to";
  // "Exchange rate of the pound" is a thing, too.
  const isNoun =
    nounMarkers.has(word) ||
    /(?:[^s]s|\d)$/u.test(word) ||
    /^(?:is|are|was|were|has|be|of)$/u.test(words[at + 1] ?? "") ||
    (words[at + 2] === "of" && !isEmptyWord(words[at + 1] ?? "a"));
  return isWish && !isNoun && !isEmptyWord(word) ? at : -1;
}

function isModal(word: string | undefined): boolean {
  return word === "can" || word === "could" || word === "would";
}

/**
 * Past events ("I bought") are the background of a request, seldom the request itself, and so are possessions ("my order"). What
 * something is or was ("was cancelled") is not an event.
 */
function isPastEvent(word: string, before: readonly string[]): boolean {
  if (!isPast(word) || /^(?:is|are|was|were|be|been|being)$/u.test(before.at(-1) ?? "")) return false;
  return (
    before.length === 0 ||
    before.some((each) => /^(?:i|ive|we|weve|you|they|he|she|it|have|has|had)$/u.test(each))
  );
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

/** Whether a text asks for information, unlike "can you ..." and "what do I have to do to ...", which ask for an action. */
export function isQuestion(text: string): boolean {
  return (
    /^\W*(?:(?:what|which|who|when|where|how)['’]?s?|is|are|do|does|did)\b/iu.test(text) &&
    !/^\W*what do (?:i|we) (?:have|need) to do\b/iu.test(text)
  );
}

/** Whether a text asks about something that may or did happen: no tool is to make it happen. */
export function asksAboutEvent(text: string): boolean {
  return /^\W*(?:what (?:happens|would happen|happened|if)|why|when|where|who|whose|how come|did|does|has|have)\b/iu.test(
    text,
  );
}

/** Whether a text names things in the plural, and nothing to do with them: "orders of last week". */
export function namesThings(text: string): boolean {
  return /^\W*(?:(?:all|the|any|my)\s+)?\p{L}+[^s\P{L}]s\b/iu.test(text) && requestVerb(text).length === 0;
}

/** Whether a text asks what there is, or what it costs: no tool that changes something is its answer. */
export function asksWhatThereIs(text: string): boolean {
  return /\b(?:(?:do|have) you (?:have|got|sell|stock|carry|offer)|(?:is|are) there|how much (?:is|are|does|do))\b|^\W*(?:what(?:['’]?s| is| are) )?(?:the )?(?:price|cost)s? of\b/iu.test(
    text,
  );
}

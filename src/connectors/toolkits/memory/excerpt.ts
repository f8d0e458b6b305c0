import { isUnspacedCharacter, wordsOf } from "../../../tool/search-words.ts";

/** Characters of an excerpt before and behind the first word that fits. */
const before = 60;
const behind = 140;

/** The part of a text around the first of the words of a query that it has; its beginning where it has none. */
export function excerptOf(text: string, words: readonly string[]): string {
  const place = placeOfFirst(text, words);
  const from = place === undefined ? 0 : Math.max(0, place - before);
  const part = text.slice(from, from + before + behind).toWellFormed();
  return `${from > 0 ? "…" : ""}${part}${from + before + behind < text.length ? "…" : ""}`;
}

/** Where a word begins, or a part of a text without spaces is; elsewhere within a word only if there is no such place. */
function placeOfFirst(text: string, words: readonly string[]): number | undefined {
  const { folded, places } = foldInPlace(text);
  const all = words.flatMap((word) => {
    const [first = ""] = word;
    const place = isUnspacedCharacter(first)
      ? folded.indexOf(word)
      : folded.search(new RegExp(String.raw`(?<![\p{L}\p{N}\p{M}])${word}`, "u"));
    return place < 0 ? [] : [place];
  });
  const first = all.length > 0 ? Math.min(...all) : placeWithin(folded, words);
  return places[first];
}

function placeWithin(folded: string, words: readonly string[]): number {
  return Math.min(...words.map((word) => folded.indexOf(word)).filter((place) => place >= 0));
}

/** A text as its words are folded, and where each character of that comes from. */
function foldInPlace(text: string): { readonly folded: string; readonly places: readonly number[] } {
  let folded = "";
  const places: number[] = [];
  const forms = new Map<string, string>();
  // A letter and the marks on it fold as one.
  for (const { 0: letter, index } of text.matchAll(/\P{M}\p{M}*|\p{M}+/gu)) {
    const part = forms.get(letter) ?? wordsOf(letter)[0] ?? " ";
    forms.set(letter, part);
    folded += part;
    for (let at = 0; at < part.length; at++) places.push(index);
  }
  return { folded, places };
}

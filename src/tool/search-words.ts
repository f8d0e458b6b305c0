/** Characters of scripts that put no spaces between words, or endings to them: Korean has both. */
const unspaced =
  "\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}";

/** Runs of letters, digits and the marks on them, where a run ends at a script of the other kind. */
const runs = new RegExp(
  `(?:(?![${unspaced}])[\\p{L}\\p{N}\\p{M}])+|(?:(?=[${unspaced}])[\\p{L}\\p{N}\\p{M}])+`,
  "gu",
);

const beginsUnspaced = new RegExp(`^[${unspaced}]`, "u");
const singleUnspaced = new RegExp(`^[${unspaced}]$`, "u");

/** Marks on letters of any script, such as accents; without those that make another letter of kana. */
const accents = /(?![\u3099\u309A])\p{Script=Inherited}/gu;

/**
 * The words of a text that is searched, folded, and the parts of compound names: `getWeather`, `get_weather` and `Get Weather` are
 * alike. Where a script has no spaces, each character with the next one is a word, and so is the last character.
 */
export function wordsOf(text: string): string[] {
  return cut(text, (characters) => [...pairs(characters), ...characters.slice(-1)]);
}

/** The words of a query: a character by itself only where nothing follows or precedes it. */
export function queryWords(text: string): string[] {
  return cut(text, (characters) => (characters.length === 1 ? [...characters] : pairs(characters)));
}

/** Whether the word of a query is a single character of a script without spaces: it is in all pairs that it begins. */
export function isUnspacedCharacter(word: string): boolean {
  return singleUnspaced.test(word);
}

function cut(text: string, parts: (characters: readonly string[]) => readonly string[]): string[] {
  const all: readonly string[] = folded(text).match(runs) ?? [];
  return all.flatMap((run) => (beginsUnspaced.test(run) ? parts(Array.from(run)) : [run]));
}

function pairs(characters: readonly string[]): string[] {
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

/** Small letters of one form, without accents. By way of capitals, since `ß` is `SS` there, as `ς` and `σ` are `Σ`. */
function folded(text: string): string {
  return text
    .normalize("NFKD")
    .replaceAll(accents, "")
    .normalize("NFC")
    .replaceAll(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .toUpperCase()
    .toLowerCase();
}

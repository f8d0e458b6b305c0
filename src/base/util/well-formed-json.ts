/** An escape in a JSON text: the two halves of a character, one without the other, or anything else. */
const escapes = /\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}|(\\ud[89a-f][0-9a-f]{2})|\\[^]/gi;

/**
 * A JSON text in which halves of characters (unpaired surrogates, as `slice` leaves them of an emoji) are U+FFFD: servers refuse a
 * request that has one, with all that stands beside it.
 */
export function wellFormedJson(json: string): string {
  const text = json.toWellFormed();
  if (!/\\ud[89a-f]/i.test(text)) return text;
  return text.replaceAll(escapes, (escape, half?: string) => (half === undefined ? escape : "\\ufffd"));
}

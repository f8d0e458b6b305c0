/** Characters that nobody sees: zero-width ones, soft hyphens, marks of direction. */
const invisible =
  // oxlint-disable-next-line no-misleading-character-class -- each by itself is left out
  /[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;

/** A text as a pattern should see it: what looks like a letter, a digit or a sign of ASCII is one, and nothing stands unseen between them. */
export function plainText(text: string): string {
  return text.normalize("NFKC").replaceAll(invisible, "");
}

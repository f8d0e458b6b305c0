/**
 * A description as far as a model needs it: without HTML, on as few lines as it takes, cut behind a sentence or a word
 * where it is longer than `limit` characters.
 */
export function shorten(text: string, limit: number): string {
  // Nothing behind this could be kept, and the patterns below need not see it.
  const plain = text
    .slice(0, limit * 4)
    .replaceAll(/<!--.*?-->|<\/?[a-z][^<>]{0,500}>/gis, " ")
    .replaceAll(/[^\S\n]+/g, " ")
    .replaceAll(/ ?\n[ \n]*/g, "\n")
    // oxlint-disable-next-line no-control-regex -- these are what is taken out
    .replaceAll(/[\u0000-\u0009\u000B-\u001F\u007F\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/g, "")
    .trim();
  if (plain.length <= limit) return plain;
  const head = plain.slice(0, limit - 1);
  const sentence = Math.max(head.lastIndexOf(". "), head.lastIndexOf(".\n"), head.lastIndexOf("\n"));
  if (sentence > limit / 2) return head.slice(0, sentence + 1).trim();
  const word = head.lastIndexOf(" ");
  return `${head.slice(0, word > limit / 2 ? word : undefined).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

import { withoutInvisible } from "../../base/util/clean-text.ts";

/**
 * A description as far as a model needs it: without HTML and invisible characters, on as few lines as it takes, cut behind a sentence or a word
 * where it is longer than `limit` characters.
 */
export function shorten(text: string, limit: number): string {
  // Nothing behind this could be kept, and the patterns below need not see it.
  const withoutMarkup = text
    .slice(0, limit * 4)
    .replaceAll(/<!--.*?-->|<\/?[a-z][^<>]{0,500}>/gis, " ")
    .replaceAll(/[^\S\n]+/g, " ")
    .replaceAll(/ ?\n[ \n]*/g, "\n");
  const plain = withoutInvisible(withoutMarkup).trim();
  if (plain.length <= limit) return plain;
  const head = plain.slice(0, limit - 1);
  const sentence = Math.max(head.lastIndexOf(". "), head.lastIndexOf(".\n"), head.lastIndexOf("\n"));
  if (sentence > limit / 2) return head.slice(0, sentence + 1).trim();
  const word = head.lastIndexOf(" ");
  return `${head.slice(0, word > limit / 2 ? word : undefined).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

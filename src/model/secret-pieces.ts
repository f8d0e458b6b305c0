import { mask } from "../base/util/redact-keys.ts";

/** The shortest piece of a secret that is masked, and the shortest one that words could be. */
const shortest = 8;
const shortestOfWords = 12;

/** How much of a secret is looked for: what is longer has more than enough pieces. */
const longestSecret = 4096;

/** What prose may have by chance: letters of one case, and what stands between words. */
const wordLike = /^[A-Z]?[a-z\s._:/-]*$|^[A-Z\s._:/-]*$/;

/**
 * Makes the function that masks each run of characters that a text shares with a secret: a server may send back all but the last
 * character, or the halves apart. Linear in the text.
 */
export function pieceMasker(secrets: readonly string[]): (text: string) => string {
  const pieces = new Set<string>();
  for (const secret of secrets) {
    const end = Math.min(secret.length, longestSecret);
    for (let at = 0; at + shortest <= end; at++) {
      const piece = secret.slice(at, at + shortest);
      if (!wordLike.test(piece)) pieces.add(piece);
      else if (at + shortestOfWords <= end) pieces.add(secret.slice(at, at + shortestOfWords));
    }
  }
  return (text) => (pieces.size === 0 ? text : maskPieces(text, pieces));
}

function maskPieces(text: string, pieces: ReadonlySet<string>): string {
  let clean = "";
  /** Where the text goes on that is not in `clean` yet, and where the shared run ends that was seen last. */
  let open = 0;
  let end = -1;
  for (let at = 0; at + shortest <= text.length; at++) {
    const length = [shortest, shortestOfWords].find((size) => pieces.has(text.slice(at, at + size)));
    if (length === undefined) continue;
    if (at > end) clean += text.slice(open, at) + mask;
    end = Math.max(end, at + length);
    open = end;
  }
  return clean + text.slice(open);
}

import { mask } from "../base/util/redact-keys.ts";

/** The shortest piece of a secret that is masked, and the shortest one that words could be. */
const shortest = 8;
const shortestOfWords = 12;

/** How much of a secret is looked for: what is longer has more than enough pieces. */
const longestSecret = 4096;

/** What prose may have by chance: letters of one case, and what stands between words. */
const wordLike = /^[A-Z]?[a-z\s._:/-]*$|^[A-Z\s._:/-]*$/;

/** Masks what a text shares with secrets. */
export type MaskPieces = (text: string, maskOf?: (piece: string) => string) => string;

/**
 * Makes the function that masks each run of characters that a text shares with a secret: a server may send back all but the last
 * character, or the halves apart. Linear in the text.
 */
export function pieceMasker(secrets: readonly string[]): MaskPieces {
  const pieces = new Set<string>();
  for (const secret of secrets) {
    const end = Math.min(secret.length, longestSecret);
    for (let at = 0; at + shortest <= end; at++) {
      const piece = secret.slice(at, at + shortest);
      if (!wordLike.test(piece)) pieces.add(piece);
      else if (at + shortestOfWords <= end) pieces.add(secret.slice(at, at + shortestOfWords));
    }
  }
  return (text, maskOf = () => mask) => (pieces.size === 0 ? text : maskRuns(text, pieces, maskOf));
}

function maskRuns(text: string, pieces: ReadonlySet<string>, maskOf: (piece: string) => string): string {
  let clean = "";
  /** Where the text goes on that is not in `clean` yet. */
  let open = 0;
  for (const [start, end] of sharedRuns(text, pieces)) {
    clean += text.slice(open, start) + maskOf(text.slice(start, end));
    open = end;
  }
  return clean + text.slice(open);
}

function sharedRuns(text: string, pieces: ReadonlySet<string>): [start: number, end: number][] {
  const runs: [number, number][] = [];
  for (let at = 0; at + shortest <= text.length; at++) {
    const length = [shortest, shortestOfWords].find((size) => pieces.has(text.slice(at, at + size)));
    if (length === undefined) continue;
    const last = runs.at(-1);
    if (last && at <= last[1]) last[1] = Math.max(last[1], at + length);
    else runs.push([at, at + length]);
  }
  return runs;
}

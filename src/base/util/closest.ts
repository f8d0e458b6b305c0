/** Longer names are compared by their beginning: nobody mistypes the rest into a likeness. */
const longestName = 64;

/**
 * The names most like `name`, best first, `limit` at most: those that differ by case or separators only, then by few edits
 * (about a third of the letters), then those that contain it or are contained in it. Empty if none is close.
 */
export function closest(name: string, candidates: Iterable<string>, limit = 3): string[] {
  const wanted = simplify(name);
  const matches: { readonly candidate: string; readonly distance: number }[] = [];
  for (const candidate of candidates) {
    const distance = distanceBetween(wanted, simplify(candidate));
    if (distance !== undefined) matches.push({ candidate, distance });
  }
  return matches
    .sort((a, b) => a.distance - b.distance)
    .slice(0, limit)
    .map(({ candidate }) => candidate);
}

function simplify(name: string): string {
  const letters = name.slice(0, longestName).toLowerCase();
  return letters.replaceAll(/[^\p{L}\p{N}]/gu, "") || letters;
}

/** How far apart two names are; `undefined` if too far. */
function distanceBetween(a: string, b: string): number | undefined {
  if (a === b) return 0;
  const shorter = Math.min(a.length, b.length);
  const most = Math.max(1, Math.floor(Math.max(a.length, b.length) / 3));
  if (Math.abs(a.length - b.length) <= most && shorter > 1) {
    const edits = editDistance(a, b, most);
    if (edits <= most) return edits;
  }
  const contained = shorter >= 3 && (a.includes(b) || b.includes(a));
  return contained ? longestName + Math.abs(a.length - b.length) : undefined;
}

/** Insertions, deletions, replacements and swaps of neighbours that make `a` into `b`; `Infinity` if they are more than `most`. */
function editDistance(a: string, b: string, most: number): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let edits = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      );
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) edits = Math.min(edits, (beforeLast[column - 2] ?? 0) + 1);
      current.push(edits);
    }
    // Names that have nothing in common are told apart by their beginnings: there may be many.
    if (Math.min(...current) > most && Math.min(...last) > most) return Infinity;
    beforeLast = last;
    last = current;
  }
  return last[b.length] ?? 0;
}

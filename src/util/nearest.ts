/** Names longer than this are no typing mistakes, and comparing them costs their product. */
const longestName = 100;

/**
 * The candidates that `name` may have been meant for, nearest first: those that differ in case alone, begin alike, or are
 * a few typing mistakes away (about one for every three characters).
 */
export function nearest(name: string, candidates: readonly string[], limit = 3): string[] {
  const wanted = name.slice(0, longestName).toLowerCase();
  return candidates
    .map((candidate) => ({
      candidate,
      distance: distance(wanted, candidate.slice(0, longestName).toLowerCase()),
    }))
    .filter(({ distance }) => distance <= Math.max(1, Math.floor(wanted.length / 3)))
    .sort((one, other) => one.distance - other.distance)
    .slice(0, limit)
    .map(({ candidate }) => candidate);
}

/** Typing mistakes between two names: letters added, left out, wrong, or two of them swapped. A shared start counts one. */
function distance(one: string, other: string): number {
  if (one === other) return 0;
  const shorter = Math.min(one.length, other.length);
  if (shorter >= 2 && (one.startsWith(other) || other.startsWith(one))) return 1;
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const same = one[row - 1] === other[column - 1];
      let cost = Math.min(
        at(previous, column) + 1,
        at(current, column - 1) + 1,
        at(previous, column - 1) + (same ? 0 : 1),
      );
      const swapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      if (row > 1 && column > 1 && swapped) cost = Math.min(cost, at(beforePrevious, column - 2) + 1);
      current.push(cost);
    }
    beforePrevious = previous;
    previous = current;
  }
  return at(previous, other.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}

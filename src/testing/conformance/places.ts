/** The most places at which one answer is left or aborted: spread over it where it has more. */
const mostPlaces = 60;

/** All indexes below `count`, or as many as serve. */
export function places(count: number): readonly number[] {
  const step = Math.max(1, count / mostPlaces);
  return Array.from({ length: Math.min(count, mostPlaces) }, (_, index) => Math.floor(index * step));
}

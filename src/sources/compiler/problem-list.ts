/** A message with more lines than this is not read. */
const mostLines = 10;

/** One line for each of `lines`, repetitions left out, and at most ten in all. */
export function listLines(lines: readonly string[]): string {
  const distinct = [...new Set(lines)];
  const listed = distinct.length > mostLines ? distinct.slice(0, mostLines - 1) : distinct;
  const more = distinct.length - listed.length;
  return [...listed, ...(more > 0 ? [`and ${more} more`] : [])].map((line) => `  - ${line}`).join("\n");
}

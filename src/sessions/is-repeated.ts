import type { SessionEntry } from "../run/session/session.ts";
import { SessionConflictError } from "./errors.ts";

/**
 * Whether entries are kept already; if not, they are the next ones.
 * @param last the number of the last entry that is kept.
 * @param writerOf who wrote the entry with a number that is kept.
 * @throws SessionConflictError if they are neither.
 */
export function isRepeated(
  entries: readonly SessionEntry[],
  last: number,
  writerOf: (sequence: number) => string | undefined,
): boolean {
  const [first] = entries;
  if (!first || first.sequence === last + 1) return !first;
  const isKept = entries.every(({ sequence, writer }) => sequence <= last && writerOf(sequence) === writer);
  if (isKept) return true;
  throw new SessionConflictError(Math.min(first.sequence, last + 1));
}

import type { SessionEntry } from "../run/session/session.ts";
import { SessionConflictError } from "./errors.ts";

/**
 * Whether entries are kept already; if not, they are the next ones.
 * @param last the number of the last entry that is kept.
 * @param writerOf who wrote the entry with a number that is kept.
 * @param oldest the first entry that is kept.
 * @throws SessionConflictError if they are neither.
 */
export function isRepeated(
  entries: readonly SessionEntry[],
  last: number,
  writerOf: (sequence: number) => string | undefined,
  oldest?: Pick<SessionEntry, "type" | "sequence">,
): boolean {
  const [first] = entries;
  if (!first || first.sequence === last + 1) return !first;
  const isKept = entries.every(({ sequence, writer }) => sequence <= last && writerOf(sequence) === writer);
  if (isKept) return true;
  if (oldest?.type === "clear" && oldest.sequence >= first.sequence)
    throw new SessionConflictError(oldest.sequence, "cleared");
  if (last + 1 < first.sequence) throw new SessionConflictError(last + 1, "shortened");
  throw new SessionConflictError(first.sequence);
}

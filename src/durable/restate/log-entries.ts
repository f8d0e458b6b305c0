import type { ObjectContext, ObjectSharedContext } from "@restatedev/restate-sdk";
import type { SessionEntry } from "../../run/session/session.ts";
import { isRepeated } from "../../sessions/is-repeated.ts";
import { chunkSize, emptyHead, keys, type LogAnswers, type LogHead, pageSize } from "./log-state.ts";

/** What a log knows of itself. */
export async function readHead(context: ObjectSharedContext): Promise<LogHead> {
  return (await context.get<LogHead>(keys.head)) ?? emptyHead;
}

/**
 * Adds entries to a log, unless they are there.
 * @returns the head as it is then. The caller stores it.
 * @throws SessionConflictError
 */
export async function appendEntries(
  context: ObjectContext,
  head: LogHead,
  entries: readonly SessionEntry[],
): Promise<LogHead> {
  const [first] = entries;
  if (!first) return head;
  if (first.sequence !== head.last + 1) {
    const writers = await writersFrom(context, head, first.sequence);
    if (isRepeated(entries, head.last, (sequence) => writers.get(sequence))) return head;
  }
  const tail = [...head.tail, ...entries];
  const size = head.size + entries.reduce((sum, entry) => sum + JSON.stringify(entry).length, 0);
  const last = head.last + entries.length;
  if (size <= chunkSize) return { ...head, last, tail, size };
  context.set(keys.chunk(head.chunks), tail);
  return { ...head, last, chunks: head.chunks + 1, tail: [], size: 0 };
}

async function writersFrom(
  context: ObjectContext,
  { tail, chunks }: LogHead,
  from: number,
): Promise<ReadonlyMap<number, string>> {
  const entries = [...tail];
  for (let chunk = chunks - 1; chunk >= 0 && (entries[0]?.sequence ?? Infinity) > from; chunk--)
    entries.unshift(...((await context.get<readonly SessionEntry[]>(keys.chunk(chunk))) ?? []));
  return new Map(entries.map(({ sequence, writer }) => [sequence, writer]));
}

/** The entries of a log from a chunk on: some, and where there are more. One value at a time: the SDK loses promises that wait together. */
export async function readPage(context: ObjectSharedContext, from: number): Promise<LogAnswers["load"]> {
  const { chunks, tail } = await readHead(context);
  const entries: SessionEntry[] = [];
  let size = 0;
  for (let chunk = from; chunk < chunks; chunk++) {
    const part = (await context.get<readonly SessionEntry[]>(keys.chunk(chunk))) ?? [];
    entries.push(...part);
    size += JSON.stringify(part).length;
    if (size > pageSize) return { entries, next: chunk + 1 };
  }
  return { entries: [...entries, ...tail] };
}

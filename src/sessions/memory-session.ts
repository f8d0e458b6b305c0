import type { Session, SessionEntry } from "../run/session/session.ts";
import { isRepeated } from "./is-repeated.ts";
import { assertSessionOptions, type SessionOptions } from "./options.ts";

/**
 * A session for as long as the program runs.
 * @throws ConfigurationError (`invalid-option`)
 */
export function memorySession(options: SessionOptions = {}): Session {
  assertSessionOptions(options);
  // As text, so that later changes to an entry do not reach the stored one, and what is not JSON fails here.
  let stored: (Pick<SessionEntry, "type" | "sequence" | "writer"> & { readonly text: string })[] = [];
  const lastNumber = (): number => stored.at(-1)?.sequence ?? 0;
  const add = (entry: SessionEntry): void => {
    const { type, sequence, writer } = entry;
    stored.push({ type, sequence, writer, text: JSON.stringify(entry) });
  };
  return {
    busy: options.busy,
    key: `memory:${crypto.randomUUID()}`,
    load: async () => ({ entries: stored.map(({ text }): SessionEntry => JSON.parse(text)) }),
    append: async (entries) => {
      const first = stored[0]?.sequence ?? 1;
      const writerOf = (sequence: number): string | undefined => stored[sequence - first]?.writer;
      if (isRepeated(entries, lastNumber(), writerOf, stored[0])) return;
      const before = stored.length;
      try {
        entries.forEach(add);
      } catch (error) {
        stored.length = before;
        throw error;
      }
    },
    clear: async () => {
      const sequence = lastNumber() + 1;
      stored = [];
      add({ type: "clear", sequence, writer: crypto.randomUUID() });
    },
  };
}

import type { Session, SessionEntry } from "../run/session/session.ts";
import { isRepeated } from "./is-repeated.ts";

/** A session for as long as the program runs. */
export function memorySession(): Session {
  // As text, so that later changes to an entry do not reach the stored one, and what is not JSON fails here.
  let kept: { readonly sequence: number; readonly writer: string; readonly text: string }[] = [];
  const lastNumber = (): number => kept.at(-1)?.sequence ?? 0;
  const add = (entry: SessionEntry): void => {
    const { sequence, writer } = entry;
    kept.push({ sequence, writer, text: JSON.stringify(entry) });
  };
  return {
    load: async () => ({ entries: kept.map(({ text }): SessionEntry => JSON.parse(text)) }),
    append: async (entries) => {
      const first = kept[0]?.sequence ?? 1;
      if (isRepeated(entries, lastNumber(), (sequence) => kept[sequence - first]?.writer)) return;
      const before = kept.length;
      try {
        entries.forEach(add);
      } catch (error) {
        kept.length = before;
        throw error;
      }
    },
    clear: async () => {
      const sequence = lastNumber() + 1;
      kept = [];
      add({ type: "clear", sequence, writer: crypto.randomUUID() });
    },
  };
}

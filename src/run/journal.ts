import type { Journal } from "./types.ts";

/** Does a step through the journal, if there is one. */
export function journaled<T>(
  journal: Journal | undefined,
  key: string,
  perform: () => Promise<T>,
): Promise<T> {
  return journal ? journal.step(key, perform) : perform();
}

/** A journal whose keys begin with `prefix`: that of a run within a run. */
export function withPrefix(journal: Journal | undefined, prefix: string): Journal | undefined {
  return journal && { step: (key, perform) => journal.step(`${prefix}/${key}`, perform) };
}

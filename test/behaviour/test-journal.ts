import type { Journal } from "skein";

/** A journal, and the steps that it keeps. */
export interface MemoryJournal extends Journal {
  /** The value of each finished step, as JSON, by its key. */
  readonly steps: Map<string, string>;
}

/** A journal in memory. Values leave it as they would leave a database: read from JSON. */
export function memoryJournal(): MemoryJournal {
  const steps = new Map<string, string>();
  return {
    steps,
    async step<T>(key: string, perform: () => Promise<T>): Promise<T> {
      const value = steps.get(key);
      if (value !== undefined) return JSON.parse(value);
      const performed = await perform();
      steps.set(key, JSON.stringify(performed));
      return performed;
    },
  };
}

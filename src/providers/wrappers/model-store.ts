import { Lru } from "../../base/util/lru.ts";

/** Where answers are kept, as JSON. What it throws costs no answer: it becomes a warning of the generation. */
export interface ModelStore {
  /** What was set last for the key, unless it is too old. */
  get(key: string): string | undefined | Promise<string | undefined>;
  /**
   * Keeps an answer.
   * @param ttl milliseconds after which `get` shall no longer find it; for ever if `undefined`.
   */
  set(key: string, value: string, ttl: number | undefined): void | Promise<void>;
}

/** The most characters that are kept. */
const mostCharacters = 10_000_000;

/** Keeps so many answers in this process; what was not used for longest goes first. */
export function memoryStore(maxEntries: number): ModelStore {
  const kept = new Lru<{ readonly json: string; readonly expires: number }>(maxEntries, mostCharacters);
  return {
    get(key) {
      const entry = kept.get(key);
      return entry && entry.expires > performance.now() ? entry.json : undefined;
    },
    set(key, json, ttl = Infinity) {
      kept.set(key, { json, expires: performance.now() + ttl }, json.length + key.length);
    },
  };
}

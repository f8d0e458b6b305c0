import { Lru } from "../../base/util/lru.ts";

/**
 * Stores answers as JSON. An error that it throws does not fail the request: it becomes a warning of the generation. So does a store
 * that takes longer than `settings.timeout`, or 10 seconds.
 */
export interface ModelStore {
  /** The value that was last set for the key, unless it has expired. */
  get(key: string): string | undefined | Promise<string | undefined>;
  /**
   * Stores an answer.
   * @param ttl - Milliseconds until it expires; never if `undefined`.
   */
  set(key: string, value: string, ttl: number | undefined): void | Promise<void>;
}

/** The maximum number of characters in memory. */
const maxCharacters = 10_000_000;

/** Stores at most `maxEntries` answers in this process. The least recently used is removed first. */
export function memoryStore(maxEntries: number): ModelStore {
  const entries = new Lru<{ readonly json: string; readonly expires: number }>(maxEntries, maxCharacters);
  return {
    get(key) {
      const entry = entries.get(key);
      return entry && entry.expires > performance.now() ? entry.json : undefined;
    },
    set(key, json, ttl = Infinity) {
      entries.set(key, { json, expires: performance.now() + ttl }, json.length + key.length);
    },
  };
}

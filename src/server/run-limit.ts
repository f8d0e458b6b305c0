import { Lru } from "../base/util/lru.ts";
import type { DurableStore } from "../durable/store.ts";
import { goesOn } from "../durable/wait-until.ts";
import { Refusal } from "./refusal.ts";

/** Of how many users the runs are counted. */
const mostUsers = 10_000;

/** The runs that users have under way, as far as this process has started them: a user may have a number of them at once. */
export class RunLimit {
  readonly #most: number;
  readonly #store: DurableStore;
  /** The ids of runs in the store, and marks for those that are not, by their users. */
  readonly #started = new Lru<Set<string | symbol>>(mostUsers, mostUsers);

  /** @param most - The most runs of a user that have not stopped. */
  constructor(most: number, store: DurableStore) {
    this.#most = most;
    this.#store = store;
  }

  /** @throws Refusal (429) if the user has as many as may be. */
  async assertFree(user: string): Promise<void> {
    const runs = this.#started.get(user);
    if (!runs || runs.size < this.#most) return;
    for (const id of runs) {
      if (typeof id === "symbol") continue;
      const run = await this.#store.read(id);
      if (!run || !goesOn(run, "pause")) runs.delete(id);
    }
    if (runs.size < this.#most) return;
    throw this.#refusal();
  }

  #refusal(): Refusal {
    const message = `${this.#most} runs of yours are under way. Wait for one to end.`;
    return new Refusal(429, "too-many-runs", message, { "retry-after": "5" });
  }

  /** Counts a run of the store until it stops. */
  add(user: string, id: string): void {
    this.#runsOf(user).add(id);
  }

  /**
   * Counts a run that is not in the store.
   * @returns what ends that.
   * @throws Refusal (429)
   */
  async hold(user: string): Promise<() => void> {
    await this.assertFree(user);
    const runs = this.#runsOf(user);
    // Another may have come while the store was read.
    if (runs.size >= this.#most) throw this.#refusal();
    const mark = Symbol(user);
    runs.add(mark);
    return () => void runs.delete(mark);
  }

  #runsOf(user: string): Set<string | symbol> {
    const runs = this.#started.get(user) ?? new Set();
    this.#started.set(user, runs, 1);
    return runs;
  }
}

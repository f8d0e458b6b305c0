import type { BatchApi, BatchOutcome, BatchOutcomes } from "./types.ts";

/** How many batches a process remembers its last look at, and how many characters of their results. */
const mostBatches = 1_000;
const mostCharacters = 33_554_432;

/** One look at a batch, which may be under way. */
interface Look {
  readonly at: number;
  readonly outcomes: Promise<BatchOutcomes | undefined>;
  /** Whether it is under way, or has found that the batch is over, whose outcomes stay what they are. */
  isCurrent: boolean;
  size: number;
}

/** Looks at batches, once for all requests of this process that share one. */
export class Looks {
  readonly #looks = new Map<string, Look>();

  /**
   * What became of a request.
   * @param maxAge - How old a look may be, in milliseconds.
   * @returns `undefined` while its batch is under way; `"missing"` if that is over, and has nothing of the request.
   */
  async outcome(
    api: BatchApi,
    id: string,
    customId: string,
    maxAge: number,
  ): Promise<BatchOutcome | "missing" | undefined> {
    const before = this.#looks.get(id);
    const isFresh = before !== undefined && (before.isCurrent || performance.now() - before.at < maxAge);
    const earlier = isFresh ? await before.outcomes : undefined;
    if (isFresh && !earlier) return undefined;
    const outcome = earlier && this.#take(id, earlier, customId);
    if (outcome) return outcome;
    const outcomes = await this.#look(api, id);
    return outcomes && (this.#take(id, outcomes, customId) ?? outcomes.rest ?? "missing");
  }

  /** An answer is for one request, and needs no memory once that has it. */
  #take(id: string, { outcomes }: BatchOutcomes, customId: string): BatchOutcome | undefined {
    const outcome = outcomes.get(customId);
    outcomes.delete(customId);
    if (outcomes.size === 0) this.#looks.delete(id);
    return outcome;
  }

  async #look(api: BatchApi, id: string): Promise<BatchOutcomes | undefined> {
    const look: Look = { at: performance.now(), outcomes: api.look(id), isCurrent: true, size: 0 };
    this.#looks.delete(id);
    this.#looks.set(id, look);
    try {
      const outcomes = await look.outcomes;
      look.isCurrent = outcomes !== undefined;
      look.size = outcomes?.size ?? 0;
      this.#makeRoom();
      return outcomes;
    } catch (error) {
      if (this.#looks.get(id) === look) this.#looks.delete(id);
      throw error;
    }
  }

  #makeRoom(): void {
    let characters = [...this.#looks.values()].reduce((sum, { size }) => sum + size, 0);
    for (const [id, { size }] of this.#looks) {
      if (this.#looks.size <= mostBatches && characters <= mostCharacters) return;
      this.#looks.delete(id);
      characters -= size;
    }
  }
}

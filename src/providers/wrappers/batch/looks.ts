import type { BatchApi, BatchOutcome, BatchOutcomes, MissingOutcome } from "./types.ts";

/** How many batches a process remembers its last look at, and how many characters of their results. */
const mostBatches = 1_000;
const mostCharacters = 33_554_432;

/** How often results that may not be those of the batch are read before they are taken for what they are. */
const mostReadings = 3;

/** One look at a batch, which may be under way. */
interface Look {
  readonly at: number;
  readonly outcomes: Promise<BatchOutcomes | undefined>;
  /** Whether it is under way, or has found that the batch is over, whose outcomes stay what they are. */
  isCurrent: boolean;
  size: number;
  /** How often results were read, this time included. */
  readings: number;
}

/** Looks at batches, once for all requests of this process that share one. */
export class Looks {
  readonly #looks = new Map<string, Look>();

  /**
   * What became of a request.
   * @param maxAge - How old a look may be, in milliseconds.
   * @returns `undefined` while its batch is under way, and while its results may come better.
   */
  async outcome(
    api: BatchApi,
    id: string,
    customId: string,
    maxAge: number,
  ): Promise<BatchOutcome | MissingOutcome | undefined> {
    const before = this.#looks.get(id);
    const isFresh = before !== undefined && (before.isCurrent || performance.now() - before.at < maxAge);
    const earlier = isFresh ? await before.outcomes : undefined;
    if (isFresh && !earlier) return undefined;
    const outcome = earlier && this.#take(id, earlier, customId);
    if (outcome) return outcome;
    // One that was taken out is read once more.
    const outcomes = earlier?.ids.has(customId) === false ? earlier : await this.#look(api, id);
    return outcomes && (this.#take(id, outcomes, customId) ?? this.#missing(id, outcomes));
  }

  #missing(
    id: string,
    { rest, unreadable, isDoubtful }: BatchOutcomes,
  ): BatchOutcome | MissingOutcome | undefined {
    const readings = this.#looks.get(id)?.readings ?? mostReadings;
    if (isDoubtful && readings < mostReadings) return undefined;
    return rest && unreadable.length === 0 ? rest : { unreadable };
  }

  /** An answer is for one request, and needs no memory once that has it. */
  #take(id: string, { outcomes }: BatchOutcomes, customId: string): BatchOutcome | undefined {
    const outcome = outcomes.get(customId);
    if (outcomes.delete(customId) && outcomes.size === 0) this.#looks.delete(id);
    return outcome;
  }

  async #look(api: BatchApi, id: string): Promise<BatchOutcomes | undefined> {
    const readings = this.#looks.get(id)?.readings ?? 0;
    const look: Look = {
      at: performance.now(),
      outcomes: api.look(id),
      isCurrent: true,
      size: 0,
      readings,
    };
    this.#looks.delete(id);
    this.#looks.set(id, look);
    try {
      const outcomes = await look.outcomes;
      if (outcomes) look.readings++;
      look.isCurrent = outcomes !== undefined && !(outcomes.isDoubtful && look.readings < mostReadings);
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

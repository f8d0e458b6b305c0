import { ModelError } from "../../errors.ts";
import type { Generation, ModelRequest } from "../../model/types.ts";
import { Semaphore } from "../../base/util/semaphore.ts";
import { sleep } from "../../base/util/sleep.ts";
import { estimateTokens } from "./estimate-tokens.ts";

const minute = 60_000;

/** One request of the last minute. */
export interface WindowPlace {
  readonly at: number;
  tokens: number;
  /** Whether it still counts. */
  isRecent: boolean;
}

/** Lets requests begin so that in any minute there are no more of them, and of their tokens, than may be. */
export class RequestWindow {
  readonly #requests: number;
  readonly #tokens: number;
  readonly #semaphore = new Semaphore(1);
  /** Those of the last minute, from `#oldest` on. */
  #places: WindowPlace[] = [];
  #oldest = 0;
  #used = 0;
  /** What the provider says: nothing before then, and no more tokens than are left before then. */
  #closedUntil = 0;
  #left: { tokens: number; readonly until: number } = { tokens: 0, until: 0 };

  constructor(requestsPerMinute: number | undefined, tokensPerMinute: number | undefined) {
    this.#requests = requestsPerMinute ?? Infinity;
    this.#tokens = tokensPerMinute ?? Infinity;
  }

  /** Resolves when the request may begin, in the order of the calls. Rejects with the signal's reason if that comes first. */
  async begin(request: ModelRequest): Promise<WindowPlace> {
    const tokens = estimateTokens(request);
    return this.#semaphore.run(async () => {
      for (let wait; (wait = this.#waitFor(tokens)) > 0;) await sleep(Math.ceil(wait), request.signal);
      const place: WindowPlace = { at: performance.now(), tokens, isRecent: true };
      this.#places.push(place);
      this.#used += tokens;
      this.#left.tokens -= tokens;
      return place;
    }, request.signal);
  }

  /** Puts what an answer used in place of the estimate, and takes up what the provider says of its limits. */
  end(place: WindowPlace, { usage, rateLimit = {} }: Generation): void {
    const { totalTokens = place.tokens } = usage;
    if (place.isRecent) this.#used += totalTokens - place.tokens;
    place.tokens = totalTokens;
    const { remainingRequests, resetRequests, remainingTokens, resetTokens, retryAfter = 0 } = rateLimit;
    this.#close(retryAfter);
    if (remainingRequests === 0 && resetRequests !== undefined) this.#close(resetRequests);
    if (remainingTokens !== undefined && resetTokens !== undefined)
      this.#left = { tokens: remainingTokens, until: performance.now() + Math.min(resetTokens, minute) };
  }

  /** Takes up what a failure says of the provider's limits. */
  fail(error: unknown): void {
    if (error instanceof ModelError) this.#close(error.retryAfter ?? 0);
  }

  /** Who would have to wait for more than a minute shall hear of it from the provider. */
  #close(wait: number): void {
    this.#closedUntil = Math.max(this.#closedUntil, performance.now() + Math.min(wait, minute));
  }

  #waitFor(tokens: number): number {
    const now = performance.now();
    if (now < this.#closedUntil) return this.#closedUntil - now;
    if (now < this.#left.until && tokens > this.#left.tokens) return this.#left.until - now;
    const oldest = this.#forget(now - minute);
    if (!oldest) return 0;
    const isFull = this.#places.length - this.#oldest >= this.#requests || this.#used + tokens > this.#tokens;
    return isFull ? oldest.at + minute - now : 0;
  }

  /** Drops what began before a time, and gives the oldest that is left. */
  #forget(before: number): WindowPlace | undefined {
    for (let place; (place = this.#places[this.#oldest]) && place.at <= before; this.#oldest++) {
      place.isRecent = false;
      this.#used -= place.tokens;
    }
    if (this.#oldest > this.#places.length / 2) {
      this.#places = this.#places.slice(this.#oldest);
      this.#oldest = 0;
    }
    return this.#places[this.#oldest];
  }
}

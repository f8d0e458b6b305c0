import { ModelError } from "../../errors.ts";
import type { Generation, ModelRequest } from "../../model/types.ts";
import { Semaphore } from "../../base/util/semaphore.ts";
import { sleep } from "../../base/util/sleep.ts";
import { estimateTokens } from "./estimate-tokens.ts";

const minute = 60_000;

/** One request of the last minute. */
export interface WindowEntry {
  readonly at: number;
  tokens: number;
  /** Whether it is still within the last minute. */
  isRecent: boolean;
}

/** A sliding window of a minute that limits the number of requests and of their tokens. */
export class RequestWindow {
  readonly #requests: number;
  readonly #tokens: number;
  readonly #semaphore = new Semaphore(1);
  /** In order; those of the last minute start at `#oldest`. */
  #entries: WindowEntry[] = [];
  #oldest = 0;
  #used = 0;
  /** The provider's limits: no requests until `#closedUntil`, and only the remaining tokens until `#remaining.until`. */
  #closedUntil = 0;
  #remaining: { tokens: number; readonly until: number } = { tokens: 0, until: 0 };

  constructor(requestsPerMinute: number | undefined, tokensPerMinute: number | undefined) {
    this.#requests = requestsPerMinute ?? Infinity;
    this.#tokens = tokensPerMinute ?? Infinity;
  }

  /** Resolves when the request may start, in the order of the calls. Rejects with the signal's reason if it is aborted first. */
  async begin(request: ModelRequest): Promise<WindowEntry> {
    const tokens = estimateTokens(request);
    return this.#semaphore.run(async () => {
      for (let wait; (wait = this.#delayFor(tokens)) > 0;) await sleep(Math.ceil(wait), request.signal);
      const entry: WindowEntry = { at: performance.now(), tokens, isRecent: true };
      this.#entries.push(entry);
      this.#used += tokens;
      this.#remaining.tokens -= tokens;
      return entry;
    }, request.signal);
  }

  /** Replaces the estimate with an answer's usage, and applies the limits that the provider reports. */
  end(entry: WindowEntry, { usage, rateLimit = {} }: Generation): void {
    const { totalTokens = entry.tokens } = usage;
    if (entry.isRecent) this.#used += totalTokens - entry.tokens;
    entry.tokens = totalTokens;
    const { remainingRequests, resetRequests, remainingTokens, resetTokens, retryAfter = 0 } = rateLimit;
    this.#close(retryAfter);
    if (remainingRequests === 0 && resetRequests !== undefined) this.#close(resetRequests);
    if (remainingTokens !== undefined && resetTokens !== undefined)
      this.#remaining = { tokens: remainingTokens, until: performance.now() + Math.min(resetTokens, minute) };
  }

  /** Applies the limit that a failure reports. */
  fail(error: unknown): void {
    if (error instanceof ModelError) this.#close(error.retryAfter ?? 0);
  }

  /** If the wait is longer than a minute, the next request goes out and the provider refuses it. */
  #close(wait: number): void {
    this.#closedUntil = Math.max(this.#closedUntil, performance.now() + Math.min(wait, minute));
  }

  #delayFor(tokens: number): number {
    const now = performance.now();
    if (now < this.#closedUntil) return this.#closedUntil - now;
    if (now < this.#remaining.until && tokens > this.#remaining.tokens) return this.#remaining.until - now;
    const oldest = this.#removeBefore(now - minute);
    if (!oldest) return 0;
    const isFull =
      this.#entries.length - this.#oldest >= this.#requests || this.#used + tokens > this.#tokens;
    return isFull ? oldest.at + minute - now : 0;
  }

  /** Removes the entries up to a time, and returns the oldest of the others. */
  #removeBefore(before: number): WindowEntry | undefined {
    for (let entry; (entry = this.#entries[this.#oldest]) && entry.at <= before; this.#oldest++) {
      entry.isRecent = false;
      this.#used -= entry.tokens;
    }
    if (this.#oldest > this.#entries.length / 2) {
      this.#entries = this.#entries.slice(this.#oldest);
      this.#oldest = 0;
    }
    return this.#entries[this.#oldest];
  }
}

import { Lru } from "../base/util/lru.ts";
import { Refusal } from "./refusal.ts";

const minute = 60_000;

/** Of how many users the requests are counted. */
const mostUsers = 10_000;

/** How many requests a user has sent in this minute and the one before. */
interface Count {
  minute: number;
  now: number;
  before: number;
}

/** Counts requests by user, in a window that slides: the minute before counts as far as it still lies within. */
export class RequestRate {
  readonly #limit: number;
  readonly #counts = new Lru<Count>(mostUsers, mostUsers);

  /** @param limit - The most requests in a minute. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** @throws Refusal (429) with the seconds until the next request is taken. */
  count(user: string): void {
    const time = performance.now();
    const current = Math.floor(time / minute);
    const share = 1 - (time % minute) / minute;
    const count = this.#counts.get(user) ?? { minute: current, now: 0, before: 0 };
    if (count.minute !== current) {
      count.before = count.minute === current - 1 ? count.now : 0;
      count.now = 0;
      count.minute = current;
    }
    this.#counts.set(user, count, 1);
    const limit = this.#limit;
    if (count.now + count.before * share >= limit) {
      // Until the minute is over, or enough of the one before lies outside of the window.
      const part = count.now >= limit ? share : share - (limit - count.now) / count.before;
      throw new Refusal(429, "too-many-requests", "Too many requests in a minute.", {
        "retry-after": String(Math.floor((part * minute) / 1_000) + 1),
      });
    }
    count.now++;
  }
}

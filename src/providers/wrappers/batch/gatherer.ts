import { startTimer } from "../../../base/util/timer.ts";
import type { BatchApi, BatchRequest } from "./types.ts";

/** How long the requests of a batch may be together, in characters: OpenAI takes 200 MB, Anthropic 256 MB. */
const mostCharacters = 100_000_000;

/** What a request learns of the batch that is to have it. */
export interface Place {
  readonly group: string;
  /** How many requests the batch has at most. */
  readonly size: number;
}

/** A request that waits for its batch. */
export interface Member {
  /** Resolves once nothing is added to the batch any more. It is submitted when all its members are ready. */
  readonly closed: Promise<Place>;
  /** @param isWanted - `false` leaves the request out. */
  ready(isWanted: boolean): void;
  /** The batch, once it is submitted. */
  readonly submitted: Promise<SubmittedBatch>;
}

/** A batch that the provider has. */
export interface SubmittedBatch {
  /** Its id. */
  readonly batch: string;
  /** How many requests it has: those that left before are not in it. */
  readonly size: number;
}

/** Gathers the requests that a process has within a moment, so that they share a batch. */
export class Gatherer {
  readonly #wait: number;
  readonly #most: number;
  readonly #open = new Map<string, Group>();

  /**
   * @param wait - How long the first request of a batch waits for others, in milliseconds.
   * @param most - How many requests a batch has at most.
   */
  constructor(wait: number, most: number) {
    this.#wait = wait;
    this.#most = most;
  }

  /**
   * Adds a request to a batch.
   * @param key - Requests share a batch where this is the same: address and headers.
   */
  join(key: string, api: BatchApi, request: BatchRequest): Member {
    const length = JSON.stringify(request.body).length;
    const open = this.#open.get(key);
    if (open && !open.hasRoomFor(length)) open.close();
    const group = this.#open.get(key) ?? this.#begin(key, api);
    const member = group.add(request, length);
    if (group.size >= this.#most) group.close();
    return member;
  }

  #begin(key: string, api: BatchApi): Group {
    const group = new Group(api, this.#wait, () => this.#open.delete(key));
    this.#open.set(key, group);
    return group;
  }
}

/** Requests that are to be one batch. */
class Group {
  readonly #id = crypto.randomUUID();
  readonly #api: BatchApi;
  readonly #onClose: () => void;
  readonly #stopTimer: () => void;
  readonly #closed = Promise.withResolvers<Place>();
  readonly #submitted = Promise.withResolvers<SubmittedBatch>();
  readonly #wanted: BatchRequest[] = [];
  #length = 0;
  #unready = 0;
  #size = 0;
  #isClosed = false;

  constructor(api: BatchApi, wait: number, onClose: () => void) {
    this.#api = api;
    this.#onClose = onClose;
    this.#stopTimer = startTimer(() => this.close(), wait);
    // Nobody may wait for it: all members may have left.
    this.#submitted.promise.catch(() => {});
  }

  get size(): number {
    return this.#size;
  }

  hasRoomFor(length: number): boolean {
    return this.#length + length <= mostCharacters;
  }

  add(request: BatchRequest, length: number): Member {
    this.#size++;
    this.#unready++;
    this.#length += length;
    let isReady = false;
    return {
      closed: this.#closed.promise,
      submitted: this.#submitted.promise,
      ready: (isWanted) => {
        if (isReady) return;
        isReady = true;
        this.#unready--;
        if (isWanted) this.#wanted.push(request);
        this.#submit();
      },
    };
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#stopTimer();
    this.#onClose();
    this.#closed.resolve({ group: this.#id, size: this.#size });
    this.#submit();
  }

  #submit(): void {
    if (!this.#isClosed || this.#unready > 0 || this.#wanted.length === 0) return;
    const size = this.#wanted.length;
    this.#api
      .create(this.#id, this.#wanted)
      .then((batch) => this.#submitted.resolve({ batch, size }), this.#submitted.reject);
  }
}

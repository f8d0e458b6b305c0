import type { Conversation, RunEntry } from "./entry.ts";
import { deleteEvents } from "./event-groups.ts";

/** What a store in memory keeps. */
export interface Limits {
  /** How many runs that have ended, and for how long at most, in milliseconds. */
  readonly keepEnded: number;
  readonly keepEndedFor: number;
  /** How many events of runs that have ended, and how many conversations without a run. */
  readonly keepEvents: number;
  readonly keepConversations: number;
}

/** For how long a run is kept after its end in any case, in milliseconds: its readers must come to know how it ended. */
const shortestTime = 10_000;

/** Which runs and conversations a store in memory forgets, the oldest first. */
export class Retention {
  readonly #limits: Limits;
  readonly #forget: (entry: RunEntry) => void;
  readonly #forgetConversation: (conversation: Conversation) => void;
  /** The runs that have ended, those that did so first in front. */
  readonly #ended = new Set<RunEntry>();
  /** How many events those have that have any. */
  readonly #events = new Map<RunEntry, number>();
  #eventCount = 0;
  /** Conversations without a run, those that have been so for longest in front. */
  readonly #idle = new Set<Conversation>();

  constructor(
    limits: Limits,
    forget: (entry: RunEntry) => void,
    forgetConversation: (conversation: Conversation) => void,
  ) {
    this.#limits = limits;
    this.#forget = forget;
    this.#forgetConversation = forgetConversation;
  }

  /** Notes that a run has ended, or has changed after its end. */
  addEnded(entry: RunEntry): void {
    this.deleteEnded(entry);
    this.#ended.add(entry);
    if (entry.eventCount === 0) return;
    this.#events.set(entry, entry.eventCount);
    this.#eventCount += entry.eventCount;
  }

  /** Notes that a run goes on, or is forgotten. */
  deleteEnded(entry: RunEntry): void {
    this.#ended.delete(entry);
    this.#eventCount -= this.#events.get(entry) ?? 0;
    this.#events.delete(entry);
  }

  /** Notes that a conversation has a run. */
  addRun(conversation: Conversation): void {
    this.#idle.delete(conversation);
  }

  /** Notes that a conversation has no run, or none any more. */
  addIdle(conversation: Conversation): void {
    this.#idle.delete(conversation);
    this.#idle.add(conversation);
    for (const oldest of this.#idle) {
      if (this.#idle.size <= this.#limits.keepConversations) return;
      this.#idle.delete(oldest);
      this.#forgetConversation(oldest);
    }
  }

  /** Deletes the events of runs that ended at a time or before. */
  prune(until: number): void {
    for (const entry of this.#events.keys()) {
      if (entry.run.updatedAt > until) return;
      this.#deleteEvents(entry);
    }
  }

  /** Forgets what is too old or too much. */
  sweep(now: number): void {
    const { keepEnded, keepEndedFor, keepEvents } = this.#limits;
    for (const entry of this.#ended) {
      const age = now - entry.run.updatedAt;
      if (age <= shortestTime || (age <= keepEndedFor && this.#ended.size <= keepEnded)) break;
      this.#forget(entry);
    }
    for (const entry of this.#events.keys()) {
      if (this.#eventCount <= keepEvents || now - entry.run.updatedAt <= shortestTime) break;
      this.#deleteEvents(entry);
    }
  }

  #deleteEvents(entry: RunEntry): void {
    deleteEvents(entry);
    this.#eventCount -= this.#events.get(entry) ?? 0;
    this.#events.delete(entry);
  }
}

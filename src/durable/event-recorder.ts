import { unref } from "../base/util/unref.ts";
import type { RunEvent } from "../run/types.ts";
import type { ModelCall } from "../model/model-call.ts";
import { storedEvent } from "./plain-event.ts";
import { progressAfter, usageOf, withCall, withTurn } from "./run-usage.ts";
import type { EventGroup, EventWrite } from "./store.ts";
import type { StoredEvent } from "./stored-event.ts";
import type { DurableReport, EventProgress, StoredError } from "./stored-run.ts";
import type { RunWriter } from "./run-writer.ts";

/** How long events are collected before they are written unless the store says otherwise, in milliseconds, and how many characters at most. */
const usualDelay = 50;
const largestGroup = 32_768;

/** How many characters of events are stored together at most, where several came at once: some stores have rows of 2 MB. */
const mostOfGroup = 500_000;

/** How many characters of events are kept of a run, about: the oldest give way. */
const mostCharacters = 16_777_216;

/** Collects the events of a run, so that many of them are written at once. */
export class EventRecorder {
  readonly #writer: Pick<RunWriter, "commit" | "canAppend" | "append">;
  #progress: EventProgress;
  #events: StoredEvent[] = [];
  /** How many characters each of them has, about. */
  #sizes: number[] = [];
  #characters = 0;
  #from: number | undefined;
  /** What is stored, the oldest first. */
  #groups: { readonly last: number; readonly characters: number }[] = [];
  #total = 0;
  readonly #delay: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isUrgent = false;
  /** Whether a write is under way, after which what has come meanwhile is written: where there is no delay. */
  #isWriting = false;
  /** Whether the last event is there: it is written with how the run stands, which may make another one of it. */
  #isEnding = false;
  /** Whether answers were counted that no write has yet. */
  #hasCounted = false;

  /**
   * @param progress - How far the events are that were stored before.
   * @param writer - Writes what was collected.
   * @param delay - How long events are collected, in milliseconds.
   */
  constructor(
    progress: EventProgress,
    writer: Pick<RunWriter, "commit" | "canAppend" | "append">,
    delay: number = usualDelay,
  ) {
    this.#progress = { ...progress, used: usageOf(progress) };
    this.#writer = writer;
    this.#delay = delay;
  }

  /** Notes that the last turn is done once more: what readers have of it is void. */
  restart(agent: string): void {
    const { turn, turnAt, next } = this.#progress;
    if (turn === undefined || turnAt === undefined) return;
    this.#from = turnAt;
    this.#events.push({ type: "turn-restart", index: next, agent, turn, from: turnAt });
    this.#sizes.push(0);
    this.#progress = progressAfter(this.#progress, next + 1);
  }

  /** Counts an answer of a model: that is written with the events around it. */
  count(call: ModelCall): void {
    this.#progress = { ...this.#progress, used: withCall(usageOf(this.#progress), call) };
    this.#hasCounted = true;
  }

  /** Adds an event of the run that is under way: its index counts on. */
  add(event: RunEvent): void {
    const index = this.#progress.next;
    const { stored, characters } = storedEvent(event, index);
    this.#progress = {
      ...this.#progress,
      next: index + 1,
      ...(event.type === "turn-start" && this.#turnFrom(event.turn, index)),
    };
    this.#events.push(stored);
    this.#sizes.push(characters);
    this.#characters += characters;
    this.#isEnding ||= event.type === "run-end";
    this.#schedule();
  }

  #turnFrom(turn: number, turnAt: number): Pick<EventProgress, "turn" | "turnAt" | "used"> {
    return { turn, turnAt, used: withTurn(usageOf(this.#progress), turn) };
  }

  #schedule(): void {
    if (this.#isEnding) return;
    if (this.#delay === 0) return this.#writeSoon();
    if (this.#characters >= largestGroup && !this.#isUrgent) {
      this.#isUrgent = true;
      queueMicrotask(() => this.#write());
    }
    if (this.#timer) return;
    this.#timer = setTimeout(() => this.#write(), this.#delay);
    unref(this.#timer);
  }

  #writeSoon(): void {
    if (this.#isWriting) return;
    this.#isWriting = true;
    // A promise, since `queueMicrotask` of Node costs several times as much.
    void Promise.resolve().then(() => (this.#writer.canAppend ? this.#append() : this.#writeAll()));
  }

  /** Writes what there is, and what comes while it does. */
  async #writeAll(): Promise<void> {
    try {
      while (this.#events.length > 0 && !this.#isEnding) await this.#flush();
    } catch {
      // So does whatever the run writes next.
    } finally {
      this.#isWriting = false;
    }
  }

  #append(): void {
    this.#isWriting = false;
    const write = this.#isEnding ? undefined : this.take();
    if (write) this.#writer.append(write);
  }

  async #flush(): Promise<void> {
    const write = this.take();
    if (write) await this.#writer.commit({ events: write });
  }

  /** Has readers receive another end than the execution had: the run is stuck, for one, and goes on where a program has what this one lacks. */
  endAs(status: "stuck" | "cancelled"): void {
    const last = this.#events.at(-1);
    if (last?.type === "run-end") this.#events.splice(-1, 1, { ...last, status });
  }

  /** Has readers receive a pause instead of a failure: something that was sent to the run was not carried out, and its calls wait still. */
  endAsPaused(agent: string, end: { readonly result: DurableReport; readonly error?: StoredError }): void {
    const last = this.#events.at(-1);
    if (last?.type === "run-end") this.#events.splice(-1, 1, { ...last, status: "paused", ...end });
    else this.endUnless(agent, { status: "paused", ...end });
  }

  /** Adds the end of a run that was over before anything of it was executed. */
  endUnless(
    agent: string,
    end: Pick<Extract<StoredEvent, { readonly type: "run-end" }>, "status" | "result" | "error">,
  ): void {
    if (this.#isEnding) return;
    const { next } = this.#progress;
    this.#isEnding = true;
    this.#events.push({ type: "run-end", index: next, agent, ...end });
    this.#sizes.push(0);
    this.#progress = progressAfter(this.#progress, next + 1);
  }

  /** What was collected since the last time, to be written with entries of the run. */
  takeWithEntries(): EventWrite | undefined {
    if (this.#progress.hasEntries) return this.take();
    this.#progress = { ...this.#progress, hasEntries: true };
    return this.take() ?? { groups: [], progress: this.#progress };
  }

  /** What was collected since the last time, to be written with whatever is written now. */
  take(): EventWrite | undefined {
    this.stop();
    if (this.#events.length === 0 && !this.#hasCounted) return undefined;
    const groups = this.#split();
    const write = { groups, progress: this.#progress, ...this.#deleted() };
    this.#events = [];
    this.#sizes = [];
    this.#characters = 0;
    this.#from = undefined;
    this.#hasCounted = false;
    return write;
  }

  /** Groups of what was collected that every store has room for, unless a single event is larger. */
  #split(): readonly EventGroup[] {
    const groups: EventGroup[] = [];
    let events: StoredEvent[] = [];
    let characters = 0;
    const end = (): void => {
      const [first] = events;
      const last = events.at(-1);
      if (!first || !last) return;
      groups.push({ first: first.index, last: last.index, events });
      this.#groups.push({ last: last.index, characters });
      this.#total += characters;
    };
    for (const [place, event] of this.#events.entries()) {
      const size = this.#sizes[place] ?? 0;
      if (events.length > 0 && characters + size > mostOfGroup) {
        end();
        events = [];
        characters = 0;
      }
      events.push(event);
      characters += size;
    }
    end();
    return groups;
  }

  /** Drops what is not written yet: nobody knows how the run stands. */
  drop(): void {
    this.stop();
    this.#events = [];
    this.#sizes = [];
  }

  /** Writes nothing more by itself. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isUrgent = false;
  }

  #write(): void {
    if (this.#isEnding) return;
    // Should it fail, so does whatever the run writes next.
    this.#flush().catch(() => {});
  }

  #deleted(): Pick<EventWrite, "from" | "before"> {
    let before: number | undefined;
    while (this.#total > mostCharacters && this.#groups.length > 1) {
      const oldest = this.#groups.shift();
      this.#total -= oldest?.characters ?? 0;
      before = (oldest?.last ?? 0) + 1;
    }
    return {
      ...(this.#from !== undefined && { from: this.#from }),
      ...(before !== undefined && { before }),
    };
  }
}

import { SourceIterator } from "../base/stream/source.ts";
import { Changes } from "./changes.ts";
import { Patience } from "./patience.ts";
import type { DurableStore, EventGroup } from "./store.ts";
import type { StoredEvent } from "./stored-event.ts";
import { goesOn } from "./wait-until.ts";

/** How many groups of events are read at once. */
const mostGroups = 64;

/** Which events of a run are read. */
export interface EventsToRead {
  readonly after: number;
  readonly signal: AbortSignal | undefined;
  readonly until: "pause" | "end";
}

/** A reader that has begun. */
interface Opened {
  readonly toRead: EventsToRead;
  /** One watch for all events: readers of a run that works wait hundreds of times. */
  readonly changes: Changes;
}

/** The events of a run after an index, as they come, until the run pauses or ends. */
export class RunEvents extends SourceIterator<StoredEvent> {
  readonly #store: DurableStore;
  readonly #id: string;
  readonly #prepare: () => Promise<EventsToRead>;
  #opened: Opened | undefined;
  #last = -1;
  #groups: readonly EventGroup[] = [];
  /** Where in them the next event is. */
  #group = 0;
  #place = 0;
  /** What is to be done once they are read. */
  #next: "read" | "look" | "wait" = "read";
  #hasStopped = false;
  readonly #patience = new Patience();
  #isDone = false;
  #failure: { readonly error: unknown } | undefined;

  /** @param prepare - Called before anything is read. */
  constructor(store: DurableStore, id: string, prepare: () => Promise<EventsToRead>) {
    super();
    this.#store = store;
    this.#id = id;
    this.#prepare = prepare;
  }

  take(): StoredEvent | null | undefined {
    if (this.#failure) throw this.#failure.error;
    while (!this.#isDone) {
      const event = this.#groups[this.#group]?.events[this.#place];
      if (!event) {
        if (this.#nextGroup()) continue;
        return undefined;
      }
      if (hasGap(this.#last, event)) return this.#dropped(event);
      this.#place++;
      if (event.index <= this.#last) continue;
      this.#last = event.index;
      // While others than the last one come, how the run stands needs no look: what stops it otherwise shows when nothing has come.
      if (event.type === "run-end" && this.#next === "wait") this.#next = "look";
      return event;
    }
    return null;
  }

  /** Stands for those before an event that the store has no more. */
  #dropped({ index, agent }: StoredEvent): StoredEvent {
    const count = index - this.#last - 1;
    this.#last = index - 1;
    return { type: "events-dropped", index: this.#last, agent, count };
  }

  wait(): Promise<void> {
    return this.#opened && this.#next === "wait" ? this.#opened.changes.next() : this.#advance();
  }

  cancel(): void {
    this.#isDone = true;
    this.#groups = [];
    this.#opened?.changes.stop();
  }

  async #open(): Promise<Opened> {
    const toRead = await this.#prepare();
    this.#last = toRead.after;
    const changes = new Changes(this.#store, this.#id, toRead.signal);
    if (this.#isDone) changes.stop();
    return { toRead, changes };
  }

  /** Goes on to the next group, if it is there. */
  #nextGroup(): boolean {
    if (this.#group < this.#groups.length) {
      this.#group++;
      this.#place = 0;
      return true;
    }
    if (!this.#opened || this.#next !== "wait" || !this.#opened.changes.hasChanged) return false;
    // What a change has brought along needs no reading.
    const added = this.#opened.changes.added();
    if (added) this.#deliver(added);
    else this.#next = "read";
    return added !== undefined;
  }

  async #advance(): Promise<void> {
    try {
      const { changes, toRead } = (this.#opened ??= await this.#open());
      toRead.signal?.throwIfAborted();
      if (this.#isDone) return;
      if (this.#next !== "look") await this.#read(changes);
      else {
        this.#hasStopped = !(await this.#mayGoOn(toRead.until));
        this.#next = this.#hasStopped ? "read" : "wait";
      }
      this.#patience.renew();
    } catch (error) {
      await this.#bear(error);
    }
  }

  /** The store may be back after a while; what else goes wrong ends the reading. */
  async #bear(failure: unknown): Promise<void> {
    try {
      if (!this.#opened) throw failure;
      await this.#patience.bear(failure, this.#opened.toRead.signal);
    } catch (error) {
      this.cancel();
      this.#failure = { error };
    }
  }

  async #read(changes: Changes): Promise<void> {
    changes.reset();
    const groups = await this.#store.events(this.#id, this.#last, mostGroups);
    if (groups.length > 0) this.#deliver(groups);
    // What a run writes last was there before it was seen to have stopped.
    else if (this.#hasStopped) this.cancel();
    else this.#next = "look";
    if (groups.length === mostGroups) this.#next = "read";
  }

  #deliver(groups: readonly EventGroup[]): void {
    this.#groups = groups;
    this.#group = 0;
    this.#place = 0;
    this.#next = "wait";
    this.#hasStopped = false;
  }

  async #mayGoOn(until: EventsToRead["until"]): Promise<boolean> {
    const run = await this.#store.read(this.#id);
    return run !== undefined && goesOn(run, until);
  }
}

/** Whether events between an index and an event gave way to later ones. Those of a turn that was begun again have gone as well, but nobody misses them. */
function hasGap(last: number, event: StoredEvent): boolean {
  const isVoid = event.type === "turn-restart" && event.from <= last + 1;
  return event.index > last + 1 && !isVoid;
}

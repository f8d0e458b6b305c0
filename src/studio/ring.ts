import { sessionOfRun } from "./chat-runs.ts";
import type { RunRecord } from "./run-record.ts";

/** How much is remembered. */
export interface RingLimits {
  /** Runs; 500 by default. */
  readonly runs: number;
  /** About how many bytes; 67,108,864 by default. */
  readonly bytes: number;
}

/** What a studio remembers by default. */
export const standardLimits: RingLimits = { runs: 500, bytes: 64 * 1024 * 1024 };

/** Of how many runs, as a share of all, the oldest may be there because they wait. */
const mostWaiting = 0.5;

/** The runs that were recorded last, and those that wait for a person here. What is too much is forgotten, the oldest first: its bytes on the wire, then the run itself. */
export class RunRing {
  readonly #limits: RingLimits;
  readonly #runs = new Map<string, RunRecord>();
  /** Those with bytes on the wire, the oldest first: each piece of an answer may have to make room. */
  readonly #withWire = new Set<RunRecord>();
  readonly #onChange: (id: string) => void;
  #size = 0;

  /** @param onChange - Called with the id of a run that is new, has changed or was forgotten. */
  constructor(limits: RingLimits, onChange: (id: string) => void) {
    this.#limits = limits;
    this.#onChange = onChange;
  }

  /** The runs, the oldest first. */
  get all(): Iterable<RunRecord> {
    return this.#runs.values();
  }

  /** About how many bytes they hold. */
  get size(): number {
    return this.#size;
  }

  get count(): number {
    return this.#runs.size;
  }

  get(id: string): RunRecord | undefined {
    return this.#runs.get(id);
  }

  /** Adds a run; one of the same id gives way. */
  add(run: RunRecord): void {
    const earlier = this.#runs.get(run.id);
    if (earlier) this.#forget(earlier);
    this.#runs.set(run.id, run);
    this.#withWire.add(run);
    this.#size += run.size;
    this.changed(run);
  }

  /** Notes that a run has changed, and how many bytes it holds more. One that was forgotten is gone. */
  changed(run: RunRecord, bytes = 0): void {
    if (this.#runs.get(run.id) !== run) return;
    run.revision++;
    run.size += bytes;
    this.#size += bytes;
    if (bytes > 0) this.#withWire.add(run);
    this.#trim();
    this.#onChange(run.id);
  }

  #trim(): void {
    if (this.#runs.size > this.#limits.runs) this.#forgetOldest(() => this.#runs.size <= this.#limits.runs);
    if (this.#size <= this.#limits.bytes) return;
    for (const run of this.#withWire) {
      this.#withWire.delete(run);
      this.#size -= run.dropWire();
      if (this.#size <= this.#limits.bytes) return;
    }
    this.#forgetOldest(() => this.#size <= this.#limits.bytes);
  }

  /** A call that waits for a decision must not be lost behind runs that came later, unless these are all that is left. */
  #forgetOldest(isEnough: () => boolean): void {
    let waiting = Math.floor(this.#limits.runs * mostWaiting);
    for (const run of this.#runs.values()) {
      if (isEnough()) return;
      if (waitsHere(run) && waiting-- > 0) continue;
      this.#forget(run);
    }
    for (const run of this.#runs.values()) {
      if (isEnough()) return;
      this.#forget(run);
    }
  }

  #forget(run: RunRecord): void {
    this.#runs.delete(run.id);
    this.#withWire.delete(run);
    this.#size -= run.size;
    this.#onChange(run.id);
  }
}

/** Whether a run waits for a decision that a person makes in the studio: one of the chat, or of a store. */
export function waitsHere({ status, id, source }: RunRecord): boolean {
  if (status !== "paused") return false;
  return source === "store" || (source === undefined && sessionOfRun(id) !== undefined);
}

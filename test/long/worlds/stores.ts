/** Stores that fail, and processes that die, at the places that a world says. */
import type { Journal, Middleware } from "skein";
import type { Random } from "../../../src/testing/conformance/random.ts";

/** Where something can fail: once before it is stored, once after. */
export const faultPlaces = [
  "append-before",
  "append-after",
  "journal-before",
  "journal-after",
  "step-before",
  "step-after",
] as const;
export type FaultPlace = (typeof faultPlaces)[number];

/** The opportunity, counted from 1 over all places of the fault's kind, at which it happens. */
export interface Fault {
  readonly place: FaultPlace;
  readonly at: number;
  /** The process dies there, rather than report an error. */
  readonly deadly?: boolean;
}

/** Counts opportunities, and fails at those of the world. */
export class Faults {
  readonly #counts = new Map<FaultPlace, number>();
  readonly #faults: readonly Fault[];
  readonly #die: (fault: Fault) => void;
  count = 0;
  isDead = false;

  constructor(faults: readonly Fault[], onFault: (fault: Fault) => void) {
    this.#faults = faults;
    this.#die = onFault;
  }

  meet(place: FaultPlace): void {
    if (this.isDead) throw new Error("The process is dead.");
    const at = (this.#counts.get(place) ?? 0) + 1;
    this.#counts.set(place, at);
    const fault = this.#faults.find((each) => each.place === place && each.at === at);
    if (!fault) return;
    this.count++;
    if (fault.deadly) this.isDead = true;
    this.#die(fault);
    throw new Error(`FAULT ${place} ${at}`);
  }
}

export function unreliableJournal(faults: Faults, steps: Map<string, string>): Journal {
  return {
    async step<T>(key: string, perform: () => Promise<T>): Promise<T> {
      const stored = steps.get(key);
      if (stored !== undefined) return JSON.parse(stored);
      faults.meet("journal-before");
      const value = await perform();
      faults.meet("journal-after");
      steps.set(key, JSON.stringify(value));
      return value;
    },
  };
}

export function unreliableStep(faults: Faults): Middleware {
  return {
    async step(_, next) {
      faults.meet("step-before");
      const value = await next();
      faults.meet("step-after");
      return value;
    },
  };
}

/** Writes the arguments in another form: the same JSON. */
export const rewriting: Middleware = {
  async tool(call, _info, next) {
    const args: unknown = JSON.parse(call.arguments);
    if (typeof args !== "object" || args === null) return next(call);
    return next({
      ...call,
      arguments: JSON.stringify(Object.fromEntries(Object.entries(args).toReversed()), null, 1),
    });
  },
};

/** Some of the items, at least one, in any order. */
export function someOf<T>(random: Random, items: readonly T[]): readonly T[] {
  const chosen = items.filter(() => random.integer(0, 1) === 0);
  const some = chosen.length > 0 ? chosen : items.slice(0, 1);
  return some.toSorted(() => random.next() - 0.5);
}

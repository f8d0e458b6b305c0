import { isCorrection } from "../message/is-correction.ts";
import type { ToolOutcome } from "../message/messages.ts";

/** What became of the calls of one tool. */
export interface ToolStats {
  readonly calls: number;
  /** Calls without success, by outcome; outcomes that did not occur are left out. */
  readonly errors: { readonly [outcome in Exclude<ToolOutcome, "success">]?: number };
  /** Those of `errors` that were mistakes of the model, answered with a correction. */
  readonly corrections: number;
  /** Calls answered with the result of an equal one. */
  readonly cacheHits: number;
  /**
   * How long the tool took, waiting for its turn included: half of the calls at most `p50` milliseconds, nine tenths `p90`,
   * 99 of a hundred `p99`; exact to about 5%. `undefined` as long as the tool was never called.
   */
  readonly latencyMs: { readonly p50: number; readonly p90: number; readonly p99: number } | undefined;
}

/** The entry for calls of tools that there are not: a model may make up any number of names. */
const unknownTools = "(unknown)";

/** Steps of the histogram for each doubling; the last step is at two days. */
const stepsPerDoubling = 8;
const lastStep = 300;

/** The time of the first step, in milliseconds. */
const shortest = 0.001;

interface Figures {
  calls: number;
  cacheHits: number;
  readonly errors: Map<ToolOutcome, number>;
  /** How many calls took about as long as each step of the histogram says. */
  readonly latency: Map<number, number>;
}

/** Counts calls by tool. What it holds grows with the number of tools, not of calls. */
export class ToolStatistics {
  readonly #tools = new Map<string, Figures>();

  /** Counts a call that took `durationMs` milliseconds. */
  record(toolName: string, outcome: ToolOutcome, durationMs: number, cached = false): void {
    const figures = this.#figuresOf(outcome === "unknown-tool" ? unknownTools : toolName);
    figures.calls++;
    if (outcome !== "success") increment(figures.errors, outcome);
    if (cached) figures.cacheHits++;
    else if (!isCorrection(outcome)) increment(figures.latency, stepOf(durationMs));
  }

  /** The figures so far, by name; those of tools that there are not are together under `"(unknown)"`. */
  report(): Readonly<Record<string, ToolStats>> {
    // Without a prototype, so that a tool may have any name.
    const report: Record<string, ToolStats> = Object.create(null);
    for (const [name, figures] of this.#tools) report[name] = statsOf(figures);
    return report;
  }

  #figuresOf(name: string): Figures {
    const known = this.#tools.get(name);
    if (known) return known;
    const figures: Figures = { calls: 0, cacheHits: 0, errors: new Map(), latency: new Map() };
    this.#tools.set(name, figures);
    return figures;
  }
}

function increment<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function statsOf({ calls, cacheHits, errors, latency }: Figures): ToolStats {
  const corrections = [...errors].reduce(
    (sum, [outcome, count]) => (isCorrection(outcome) ? sum + count : sum),
    0,
  );
  return {
    calls,
    errors: Object.fromEntries(errors),
    corrections,
    cacheHits,
    latencyMs: percentiles(latency),
  };
}

function stepOf(durationMs: number): number {
  const doublings = Math.log2(Math.max(durationMs, shortest) / shortest);
  return Math.min(Math.round(stepsPerDoubling * doublings), lastStep);
}

function percentiles(latency: Figures["latency"]): ToolStats["latencyMs"] {
  const steps = [...latency].toSorted(([left], [right]) => left - right);
  const total = steps.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0) return undefined;
  const at = (share: number): number => {
    let left = Math.ceil(share * total);
    const found = steps.find(([, count]) => (left -= count) <= 0);
    return Number((shortest * 2 ** ((found?.[0] ?? lastStep) / stepsPerDoubling)).toPrecision(3));
  };
  return { p50: at(0.5), p90: at(0.9), p99: at(0.99) };
}

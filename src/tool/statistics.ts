import { isCorrection } from "../message/is-correction.ts";
import type { ToolOutcome, ToolResult } from "../message/messages.ts";
import { memoize } from "../base/util/memoize.ts";
import type { ToolPolicy } from "./policy.ts";
import type { Tool } from "./types.ts";

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

/** What became of the calls of several tools, by name. */
export type ToolReport = Readonly<Record<string, ToolStats>>;

/** The entry for calls of unknown tools: a model may invent any number of names. */
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
  record({ toolName, outcome }: ToolResult, durationMs: number, cached = false): void {
    const name = outcome === "unknown-tool" ? unknownTools : toolName;
    let figures = this.#tools.get(name);
    if (!figures) this.#tools.set(name, (figures = noFigures()));
    figures.calls++;
    if (outcome !== "success") increment(figures.errors, outcome);
    if (cached) figures.cacheHits++;
    else if (wasCalled(outcome)) increment(figures.latency, stepOf(durationMs));
  }

  /** What became of the calls of one tool. */
  of(toolName: string): ToolStats {
    return statsOf(this.#tools.get(toolName) ?? noFigures());
  }

  /** What became of the calls of all tools, by name; calls of unknown tools are together under `"(unknown)"`, the last entry. */
  report(): ToolReport {
    const entries = [...this.#tools].toSorted(
      ([left], [right]) => Number(left === unknownTools) - Number(right === unknownTools),
    );
    return reportOf(entries.map(([name, figures]) => [name, statsOf(figures)]));
  }
}

const statisticsOfPolicy = memoize((_: ToolPolicy<never, never>) => new ToolStatistics());

/** What is counted of a tool by all who list it: its policy is the one object that they share. */
export function statisticsOf({ policy }: Pick<Tool, "policy">): ToolStatistics {
  return statisticsOfPolicy(policy);
}

/** A report of some tools. */
export function reportOf(tools: readonly (readonly [name: string, ToolStats])[]): ToolReport {
  // Without a prototype, so that a tool may have any name.
  const report: Record<string, ToolStats> = Object.create(null);
  for (const [name, stats] of tools) report[name] = stats;
  return report;
}

function noFigures(): Figures {
  return { calls: 0, cacheHits: 0, errors: new Map(), latency: new Map() };
}

/** Whether the tool was called and its time is known. */
function wasCalled(outcome: ToolOutcome): boolean {
  return outcome === "success" || outcome === "error" || outcome === "timeout";
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
    const step = steps.find(([, count]) => (left -= count) <= 0);
    return Number((shortest * 2 ** ((step?.[0] ?? lastStep) / stepsPerDoubling)).toPrecision(3));
  };
  return { p50: at(0.5), p90: at(0.9), p99: at(0.99) };
}

import type { Score, Scorer, ScorerFunction } from "../types.ts";

/** The longest reason in a report, in characters. */
const longestReason = 2_000;

/** Gives a function the name that it has in reports. */
export function scorer(name: string, score: ScorerFunction): Scorer {
  return { name, score };
}

/** All or nothing, with the reason where it is nothing. */
export function verdict(pass: boolean, why: () => string): Score {
  return pass ? { score: 1, pass } : { score: 0, pass, reason: why().slice(0, longestReason) };
}

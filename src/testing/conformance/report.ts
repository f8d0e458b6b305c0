import { SkeinError } from "../../errors.ts";

/** Something that does not hold. */
export interface ConformanceFailure {
  /** The name of what was checked, such as `"abort"`. */
  readonly check: string;
  /** What was done, and what came of it. */
  readonly message: string;
  /** Give it as the option `seed` to see the same again. */
  readonly seed: number;
}

/** What came of all checks. */
export interface ConformanceReport {
  /** What was checked, such as `the model openai:gpt-5.2`. */
  readonly subject: string;
  readonly passed: boolean;
  readonly failures: readonly ConformanceFailure[];
  /** The names of the checks that were made. */
  readonly checks: readonly string[];
}

/** The options that all checks have. */
export interface ConformanceOptions {
  /** Says which of the many ways are tried; 1 by default. */
  readonly seed?: number;
  /** How many random ways each check tries; 20 by default. */
  readonly runs?: number;
  /** Milliseconds after which something hangs; 2,000 by default. */
  readonly timeout?: number;
}

/** The names of the options that all checks have. */
export const conformanceOptions: Readonly<Record<keyof ConformanceOptions, true>> = {
  seed: true,
  runs: true,
  timeout: true,
};

/**
 * Fails a test where something does not hold.
 * @throws SkeinError (`conformance`) that lists every failure.
 */
export function assertConformance(report: ConformanceReport): void {
  if (report.passed) return;
  const lines = report.failures.map(({ check, message, seed }) => `  ${check}: ${message} (seed ${seed})`);
  throw new SkeinError(`${report.subject} breaks ${count(report.failures.length)}:\n${lines.join("\n")}`, {
    code: "conformance",
    data: { checks: [...new Set(report.failures.map(({ check }) => check))] },
  });
}

function count(failures: number): string {
  return failures === 1 ? "1 promise" : `${failures} promises`;
}

/** How much work a validation may still spend on patterns: one is about a nanosecond. */
export interface PatternBudget {
  patternSteps: number;
}

/** A regular expression that can be tested in bounded time. */
export interface Pattern {
  readonly source: string;
  /** Whether the text matches somewhere; `undefined` if that takes more steps than are left. */
  test(text: string, budget: PatternBudget): boolean | undefined;
}

/** Matches in time that is linear in the text; `undefined` if it cannot for this expression. */
export type Matcher = (expression: RegExp) => Pattern["test"] | undefined;

import { ConfigurationError } from "../../errors.ts";
import { preview } from "../words.ts";
import type { Matcher, Pattern } from "./types.ts";

/** What one validation may spend on patterns: some tenths of a second. */
export const mostPatternSteps = 200_000_000;

/** The longest pattern that is compiled, in characters. */
const longestPattern = 10_000;

/** The most branches of a pattern that the runtime's own engine tries, and the most steps for a pattern of a higher degree. */
const mostBranches = 10_000;
const mostSteps = 10_000_000;

/** What one test costs, however short pattern and text are. */
const stepsOfTest = 100;

let matcher: Matcher | undefined;

/** Makes the linear matcher available to patterns that are tested from now on. */
export function provideMatcher(provided: Matcher): void {
  matcher = provided;
}

/** A pattern has to be tested by the linear matcher, which is not loaded. */
class MatcherMissingError extends ConfigurationError {
  constructor(source: string) {
    super(
      `The pattern ${preview(source)} is tested by code that is loaded on demand. Call validateAsync instead of validate.`,
      { code: "asynchronous-schema", data: { pattern: source } },
    );
  }
}

/** What `attempt` returns; if a pattern in it needs the linear matcher, that is loaded, and all is attempted again. */
export function withMatcher<T>(attempt: () => T | Promise<T>): T | Promise<T> {
  try {
    return attempt();
  } catch (error) {
    if (!(error instanceof MatcherMissingError)) throw error;
    return import("./match-linear.ts").then(({ matchLinear }) => {
      provideMatcher(matchLinear);
      return attempt();
    });
  }
}

/**
 * A regular expression in Unicode mode where its syntax allows, or what is wrong with it. `test` throws a `ConfigurationError`
 * for one that needs the linear matcher if that is not loaded, or cannot match it either.
 */
export function readPattern(source: string): Pattern | string {
  if (source.length > longestPattern) return `is longer than ${longestPattern} characters`;
  const expression = compileExpression(source);
  if (!expression) return `is not a regular expression: ${preview(source)}`;
  // No matcher can test these, so what needs one must not be defined.
  if (references.test(source.replaceAll(classes, ""))) return describeUnbounded(source);
  const bound = boundOf(source);
  if (bound?.degree === 0 || bound?.degree === 1 || !matcher)
    return { source, test: tester(expression, bound) };
  const test = matcher(expression);
  return test || bound ? { source, test: tester(expression, bound, test) } : describeUnbounded(source);
}

/** By the runtime's own engine where that is fast whatever the text, else by the linear matcher. */
function tester(expression: RegExp, bound: Bound | undefined, linear?: Pattern["test"]): Pattern["test"] {
  let test = linear;
  return (text, budget) => {
    const steps = bound ? bound.branches * (text.length + 1) ** bound.degree : Infinity;
    if (steps <= mostSteps || (bound && bound.degree < 2)) {
      budget.patternSteps -= stepsOfTest + steps;
      return budget.patternSteps < 0 ? undefined : expression.test(text);
    }
    if (!matcher) throw new MatcherMissingError(expression.source);
    test ??= matcher(expression);
    if (test) return test(text, budget);
    if (bound) budget.patternSteps = -1;
    else throw unbounded(expression.source);
    return undefined;
  };
}

function unbounded(source: string): ConfigurationError {
  return new ConfigurationError(`A pattern ${describeUnbounded(source)}.`, {
    code: "invalid-schema",
    data: { pattern: source },
  });
}

function describeUnbounded(source: string): string {
  return `cannot be tested in bounded time: ${preview(source)}. Write it without references to groups, and with smaller counts`;
}

function compileExpression(source: string): RegExp | undefined {
  for (const flags of ["u", ""]) {
    try {
      return new RegExp(source, flags);
    } catch {
      // What Unicode mode refuses, such as "\\-", may be fine without it.
    }
  }
  return undefined;
}

/** How often the runtime's own engine may try: `branches` times the length of the text to the power of `degree`. */
interface Bound {
  readonly branches: number;
  readonly degree: number;
}

/** The parts of a pattern that decide how often it may be tried: what is escaped or in a class counts as nothing. */
const parts = /\\[1-9k]|\\[^]|\[(?:\\[^]|[^\]\\])*\]|\(\??|\)|\||[*+]|\?|\{(\d+)(,?)(\d*)\}/g;

/** References to groups; in a class they are characters. */
const references = /^(?:[^\\]|\\[^1-9k])*\\[1-9k]/;
const classes = /\[(?:\\[^]|[^\]\\])*\]/g;

/** `undefined` if it is not evident how often, or too often: a group that repeats must always match in the same way. */
function boundOf(source: string): Bound | undefined {
  let branches = 1;
  let length = source.length + 1;
  let degree = source.startsWith("^") ? 0 : 1;
  /** The alternatives of each open group, the whole pattern first, and whether it may match in several ways. */
  const groups = [{ alternatives: 1, varies: false }];
  let closed: { readonly end: number; readonly varies: boolean } | undefined;
  for (const { 0: part, 1: least, 2: comma, 3: most, index } of source.matchAll(parts)) {
    const group = groups.at(-1);
    if (!group || /^\\[1-9k]/.test(part)) return undefined;
    if (part.startsWith("(")) groups.push({ alternatives: 1, varies: false });
    else if (part === ")") {
      groups.pop();
      const varies = group.varies || group.alternatives > 1;
      branches *= group.alternatives;
      closed = { end: index + 1, varies };
      for (const outer of groups) outer.varies ||= varies;
    } else if (part === "|") {
      group.alternatives++;
      if (groups.length === 1) degree += source.startsWith("^") && group.alternatives === 2 ? 1 : 0;
    } else if (/^[*+?{]/.test(part)) {
      if (closed?.end === index && closed.varies && part !== "?") return undefined;
      if (part === "*" || part === "+" || (comma && most === "")) degree++;
      const longest = Number(most || least || 1);
      length = closed?.end === index ? length * Math.max(longest, 1) : length + longest;
      branches *= part === "?" ? 2 : most ? longest - Number(least) + 1 : 1;
      if (comma !== "" || least === undefined) group.varies = true;
    }
  }
  branches *= length * (groups[0]?.alternatives ?? 1);
  return branches <= mostBranches ? { branches, degree } : undefined;
}

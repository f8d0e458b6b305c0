import { isLike } from "../likeness.ts";
import { describeExpected, type ExpectedCall, type ExpectedCalls } from "../expectations.ts";
import { countingCalls, isExpectedCall, type MadeCall, toolOf } from "../made-calls.ts";
import type { Score, Scorer } from "../types.ts";
import { scorer, verdict } from "./verdict.ts";

/** The tools that are called, as `calls` of a case says it: in this order, in any, or these among others. */
export function calls(expected: ExpectedCalls): Scorer {
  return scorer("calls", (transcript) => judgeCalls(expected, transcript.calls));
}

/** Exactly these calls, in this order; none for an empty list. */
export function callsInOrder(expected: readonly ExpectedCall[]): Scorer {
  return calls(expected);
}

/** Exactly these calls, in whatever order. */
export function callsInAnyOrder(anyOrder: readonly ExpectedCall[]): Scorer {
  return calls({ anyOrder });
}

/** At least these calls, in whatever order. */
export function callsInclude(include: readonly ExpectedCall[]): Scorer {
  return calls({ include });
}

/** Whether the calls that were made are those expected. */
export function judgeCalls(expected: ExpectedCalls, all: readonly MadeCall[]): Score {
  if ("include" in expected) {
    const counted = countingCalls(all, expected.include);
    const missing = missingCalls(expected.include, counted);
    return verdict(missing.length === 0, () => `missing ${listed(missing)} among ${listedCalls(counted)}`);
  }
  if ("anyOrder" in expected) {
    const counted = countingCalls(all, expected.anyOrder);
    const isRight =
      counted.length === expected.anyOrder.length && missingCalls(expected.anyOrder, counted).length === 0;
    return verdict(
      isRight,
      () => `expected ${listed(expected.anyOrder)} in any order, got ${listedCalls(counted)}`,
    );
  }
  const counted = countingCalls(all, expected);
  const isRight =
    counted.length === expected.length &&
    counted.every((call, index) => {
      const each = expected[index];
      return each !== undefined && isExpectedCall(each, call);
    });
  return verdict(isRight, () => `expected ${listed(expected)}, got ${listedCalls(counted)}`);
}

/** No call of any tool; handing over is none. */
export function noCalls(): Scorer {
  return callsInOrder([]);
}

/**
 * None of these tools, by the name that the model wrote or the tool that was reached: by a model, a tool or an agent within the run.
 * A call whose arguments were refused counts here: it was meant.
 */
export function neverCalls(...tools: readonly string[]): Scorer {
  const forbidden = new Set(tools);
  return scorer("never calls", ({ calls: actual, allCalls }) => {
    const own = actual.filter(({ tool }) => forbidden.has(tool));
    const wrong = own.length > 0 ? own : allCalls.filter(({ tool }) => forbidden.has(tool));
    return verdict(wrong.length === 0, () => `called ${listedCalls(wrong)}`);
  });
}

/** No call was refused for its arguments or for naming an unknown tool. */
export function noCorrections(): Scorer {
  return scorer("no corrections", ({ calls: actual }) => {
    const wrong = actual.filter(
      ({ outcome }) => outcome === "invalid-arguments" || outcome === "unknown-tool",
    );
    return verdict(wrong.length === 0, () => `${wrong.length} corrected: ${listedCalls(wrong)}`);
  });
}

/**
 * The calls read the same as these: same tools and arguments, in any order, and nothing left out or added; texts without regard
 * to case, spaces and punctuation. What the Berkeley leaderboard calls comparing syntax trees.
 */
export function sameCalls(
  expected: readonly { readonly tool: string; readonly arguments: object }[],
): Scorer {
  return callsInAnyOrder(
    expected.map(({ tool, arguments: args }) => ({
      tool,
      arguments: {
        expected: JSON.stringify(args),
        matches: (value: unknown) => isLike(args, value),
        example: args,
      },
    })),
  );
}

/**
 * The expected calls that no call made is. Each call stands for one expected call; a call that could stand for several is
 * given away where that leaves the fewest missing.
 */
function missingCalls(expected: readonly ExpectedCall[], actual: readonly MadeCall[]): ExpectedCall[] {
  const candidates = expected.map((each) =>
    actual.flatMap((call, index) => (isExpectedCall(each, call) ? [index] : [])),
  );
  const matched = new Map<number, number>();
  /** Finds a call for an expected one, moving others to another of theirs where they have one. */
  const place = (which: number, tried: Set<number>): boolean => {
    for (const index of candidates[which] ?? []) {
      if (tried.has(index)) continue;
      tried.add(index);
      const holder = matched.get(index);
      if (holder !== undefined && !place(holder, tried)) continue;
      matched.set(index, which);
      return true;
    }
    return false;
  };
  return expected.filter((_, which) => !place(which, new Set()));
}

function listed(expected: readonly ExpectedCall[]): string {
  if (expected.length === 0) return "no call";
  return expected
    .map((each) => {
      const args = typeof each === "string" ? undefined : each.arguments;
      return `${toolOf(each)}(${args === undefined ? "" : describeExpected(args)})`;
    })
    .join(", ");
}

function listedCalls(actual: readonly Pick<MadeCall, "tool" | "arguments">[]): string {
  if (actual.length === 0) return "no call";
  return actual
    .map(({ tool, arguments: args }) => `${tool}(${JSON.stringify(args) ?? "no JSON"})`)
    .join(", ");
}

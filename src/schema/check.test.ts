import { describe, expect, test } from "vitest";
import {
  accepts,
  type Check,
  checkAt,
  every,
  explain,
  isVerdictEnough,
  newState,
  quietly,
  reject,
  rejectAt,
  rejectDeep,
  rejectOther,
  type SchemaNode,
  track,
} from "./check.ts";
import { compilationOf } from "./compile-schema.ts";
import type { Issue } from "./types.ts";

/** A node that checks so. */
function nodeOf(check: Check): SchemaNode {
  return { ...compilationOf({}).main, check };
}

const fitting = nodeOf(() => true);
const failing = nodeOf((value, state) => reject(state, "is wrong", value));

describe("an issue", () => {
  test("has its place, and what was expected and received where that is known", () => {
    const issues: Issue[] = [];
    const state = newState(issues);
    state.path.push("a", 0);
    reject(state, "is wrong", undefined);
    rejectOther(state, "a number", "x");
    rejectAt("b", state, "is required", undefined, "a text");
    rejectDeep(state);
    state.path.push("later");
    expect(issues).toEqual([
      { path: ["a", 0], message: "is wrong" },
      { path: ["a", 0], message: 'expected a number, received "x"', expected: "a number", received: "x" },
      { path: ["a", 0, "b"], message: "is required", expected: "a text" },
      { path: ["a", 0], message: "is nested too deeply" },
    ]);
    expect([state.isTooDeep, newState().isTooDeep]).toEqual([true, false]);
  });

  test("is one of fifty at most, after which the verdict is enough", () => {
    const issues: Issue[] = [];
    const state = newState(issues);
    for (let count = 0; count < 49; count++) reject(state, "is wrong", count);
    expect(isVerdictEnough(state)).toBe(false);
    for (let count = 49; count < 60; count++) reject(state, "is wrong", count);
    expect([issues.length, isVerdictEnough(state)]).toEqual([50, true]);
    expect(isVerdictEnough(newState())).toBe(true);
  });

  test("is not put in words where only the verdict is wanted", () => {
    let words = 0;
    const received = { toString: () => `${(words += 1)}` };
    expect(rejectOther(newState(), "a number", 1, received)).toBe(false);
    expect(words).toBe(0);
    rejectOther(newState([]), "a number", 1, received);
    expect(words).toBe(1);
  });
});

test("a list passes if each item does, and is looked at to its end where issues are wanted", () => {
  const seen: number[] = [];
  const isOdd = (item: number): boolean => seen.push(item) > 0 && item % 2 === 1;
  expect(every([1, 3], newState(), isOdd)).toBe(true);
  expect(every([1, 2, 3, 4], newState(), isOdd)).toBe(false);
  expect(seen).toEqual([1, 3, 1, 2]);
  seen.length = 0;
  expect(every([2, 1, 4, 3], newState([]), isOdd)).toBe(false);
  expect(seen).toEqual([2, 1, 4, 3]);
});

describe("a verdict alone", () => {
  test("has no issues, and those before it stay", () => {
    const issues: Issue[] = [{ path: [], message: "earlier" }];
    const state = newState(issues);
    expect(quietly(failing.check, 1, state)).toBe(false);
    expect([state.issues === issues, issues.length]).toEqual([true, 1]);
  });

  test("is a step, and without any left the value does not fit", () => {
    const state = { ...newState(), steps: 2 };
    expect([1, 2, 3].map(() => accepts(fitting, 1, state))).toEqual([true, true, false]);
    expect(state.steps).toBe(-1);
  });

  test("notes what was looked at only where the value fits", () => {
    const looking =
      (fits: boolean): Check =>
      (_, state) => {
        state.evaluated?.add(`${fits}`);
        return fits;
      };
    for (const check of [quietly, track]) {
      const evaluated = new Set<string | number>(["before"]);
      const state = { ...newState(), evaluated };
      check(looking(false), 1, state);
      check(looking(true), 1, state);
      expect([...evaluated]).toEqual(["before", "true"]);
      expect(state.evaluated).toBe(evaluated);
    }
    const state = newState();
    expect([track(looking(true), 1, state), state.evaluated]).toEqual([true, undefined]);
  });
});

test("what is wrong by one node is told apart from what was wrong before", () => {
  const issues: Issue[] = [{ path: [], message: "earlier" }];
  const state = newState(issues);
  expect(explain(failing, 1, state)).toEqual([{ path: [], message: "is wrong", received: 1 }]);
  expect([state.issues === issues, issues.length]).toEqual([true, 1]);
});

test("a member is checked at its place, and counts as looked at where it fits", () => {
  const issues: Issue[] = [];
  const evaluated = new Set<string | number>();
  const state = { ...newState(issues), evaluated };
  const inner = nodeOf((_, { evaluated: within }) => within === undefined);
  expect(checkAt(inner, "a", 1, state)).toBe(true);
  expect(checkAt(failing, 7, 1, state)).toBe(false);
  expect(issues).toMatchObject([{ path: [7] }]);
  expect([[...evaluated], state.evaluated === evaluated, state.path]).toEqual([["a"], true, []]);
  const verdict = newState();
  verdict.path.push("kept");
  expect(
    checkAt(
      nodeOf((_, { path }) => path.length === 1),
      "a",
      1,
      verdict,
    ),
  ).toBe(true);
});

import { describe, expect, test } from "vitest";
import {
  findReferences,
  namesOf,
  severalCalls,
  noPart,
  partOf,
  referenceRoom,
  substitute,
  targetOf,
  type ResultPart,
} from "./references.ts";

const to = (text: unknown) => ({ $result: text });
const call = (toolCallId: string, toolName: string) => ({ toolCallId, toolName, arguments: "{}" });

describe("the references in a value", () => {
  test("are found with their places", () => {
    expect(findReferences({ a: to("one"), rows: [1, { b: to("two/x") }] })).toEqual([
      { path: ["a"], text: "one" },
      { path: ["rows", 1, "b"], text: "two/x" },
    ]);
    expect(findReferences(to("one"))).toEqual([{ path: [], text: "one" }]);
  });

  test("are objects with a text and nothing else", () => {
    expect(
      findReferences([to(1), { ...to("one"), more: 1 }, Object.create(to("one")), "$result", null]),
    ).toEqual([]);
  });

  test("are looked for up to one more than there may be", () => {
    expect(findReferences(Array(2_000).fill(to("one")))).toHaveLength(1_001);
  });
});

test("a call is named by its id, else by its place, else by its tool where that is called once", () => {
  const names = namesOf([call("a", "look"), call("1", "pay"), call("b", "look"), call("c", "2")]);
  expect(Object.fromEntries(names)).toEqual({
    a: "a",
    b: "b",
    c: "c",
    pay: "1",
    1: "1",
    2: "1",
    3: "b",
    4: "c",
  });
});

test("an id that several calls were given means none of them", () => {
  const again = (id: string, name: string, originalId: string) => ({ ...call(id, name), originalId });
  const calls = [
    call("a", "look"),
    again("a_2", "pay", "a"),
    again("b_2", "send", "b"),
    again("c_2", "buy", "c"),
  ];
  const names = namesOf(calls, (id) => id === "b");
  expect([names.get("a"), names.get("b"), names.get("c")]).toEqual([severalCalls, severalCalls, "c_2"]);
  expect([names.get("2"), names.get("pay"), names.get("a_2")]).toEqual(["a_2", "a_2", "a_2"]);
});

describe("a reference", () => {
  const idOf = (name: string): string | undefined => (name === "a" || name === "a/b" ? name : undefined);

  test("means the longest id that it begins with, and a part of its result", () => {
    expect(targetOf("a", idOf)).toEqual({ toolCallId: "a", steps: [] });
    expect(targetOf("a/b", idOf)).toEqual({ toolCallId: "a/b", steps: [] });
    expect(targetOf("a/b/c/0", idOf)).toEqual({ toolCallId: "a/b", steps: ["c", "0"] });
    expect(targetOf("a/x~1y~0z~01", idOf)).toEqual({ toolCallId: "a", steps: ["x/y~z~1"] });
    expect(targetOf("x/a", idOf)).toBeUndefined();
    expect(targetOf("", () => "a")).toBeUndefined();
  });

  test("has at most 500 characters", () => {
    expect(targetOf(`a/${"x".repeat(498)}`, idOf)).toMatchObject({ toolCallId: "a" });
    expect(targetOf(`a/${"x".repeat(499)}`, idOf)).toBeUndefined();
  });
});

const result = (value: object) => ({
  toolCallId: "call_1",
  toolName: "read",
  content: [{ type: "text" as const, text: JSON.stringify(value) }],
  structuredContent: JSON.parse(JSON.stringify(value)),
  isError: false,
  outcome: "success" as const,
});

/** A value of references to these, and how often each was looked up. */
function filled(texts: readonly string[], partAt: (text: string) => ResultPart, room = referenceRoom()) {
  const value = texts.map((text) => ({ $result: text }));
  const looked: string[] = [];
  const outcome = substitute(
    value,
    findReferences(value),
    (text) => {
      looked.push(text);
      return partAt(text);
    },
    room,
  );
  return { outcome, looked };
}

test("equal references of a call are looked up once", () => {
  const { outcome, looked } = filled(["1", "2", "1"], (text) => ({ value: Number(text), length: 1 }));
  expect(outcome).toEqual({ text: "[1,2,1]" });
  expect(looked).toEqual(["1", "2"]);
});

test("equal references that lead nowhere are looked up once, and each is an issue", () => {
  const { outcome, looked } = filled(["1", "1"], () => noPart("refers to nothing"));
  expect(outcome).toMatchObject({ issues: [{ path: [0] }, { path: [1] }], unresolved: new Set(["1"]) });
  expect(looked).toEqual(["1"]);
});

test("what is looked at for nothing takes room, too, once", () => {
  const room = { left: 100 };
  filled(["1", "1"], () => ({ problem: "is hidden from you", length: 60 }), room);
  expect(room.left).toBe(40);
  const { outcome, looked } = filled(
    ["1", "2", "3"],
    () => ({ problem: "is hidden from you", length: 30 }),
    room,
  );
  expect(outcome).toMatchObject({
    issues: [{}, {}, { path: [], message: "with the results put in, too long" }],
  });
  expect(looked).toEqual(["1", "2"]);
});

test("a hidden part says how much of the result was looked at", () => {
  const part = partOf(result({ a: "[hidden]", b: 1 }), { toolCallId: "call_1", steps: [] }, true);
  expect(part).toEqual({
    problem: "what it stands for in the result of call_1 is hidden from you",
    length: JSON.stringify({ a: "[hidden]", b: 1 }).length,
  });
  expect(partOf(result({ a: "[hidden]", b: 1 }), { toolCallId: "call_1", steps: ["b"] }, true)).toEqual({
    value: 1,
    length: 1,
  });
});

test.each([
  [0, "an object with nothing in it"],
  [1, 'an object with "k0"'],
  [10, /"k9"$/],
  [11, /"k9" and more$/],
])("of an object of %i properties, ten are named", (count, words) => {
  const value = Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index]));
  const { problem } = partOf(result(value), { toolCallId: "call_1", steps: ["x"] }, false);
  expect(problem).toMatch(words);
});

describe("the part of a result that is not there", () => {
  const part = (structuredContent: unknown, steps: readonly string[]) =>
    partOf(
      { ...result({}), structuredContent: JSON.parse(JSON.stringify(structuredContent)) },
      { toolCallId: "a", steps },
      false,
    );

  test.each([
    ["words", ["x"], 'the result of a has no "x": it is a text'],
    [null, ["x"], 'the result of a has no "x": it is null'],
    [7, ["x"], 'the result of a has no "x": it is 7'],
    [{ rows: [1, 2] }, ["rows", "2"], 'the result of a/rows has no "2": it is a list of 2'],
    [{ rows: [1, 2] }, ["rows", "length"], 'the result of a/rows has no "length": it is a list of 2'],
    [{ rows: {} }, ["rows", "x"], 'the result of a/rows has no "x": it is an object with nothing in it'],
    [{ a: 1, b: 2 }, ["toString"], 'the result of a has no "toString": it is an object with "a", "b"'],
  ])("is a sentence where there is none: %j %j", (value, steps, sentence) => {
    expect(part(value, steps)).toEqual({ problem: sentence, length: 0 });
  });
});

import { expect, test } from "vitest";
import { findReferences, noPart, partOf, referenceRoom, substitute, type ResultPart } from "./references.ts";

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

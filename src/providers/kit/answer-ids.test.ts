import { expect, test } from "vitest";
import { AnswerIds } from "./answer-ids.ts";

/** Which chunk belongs to a second answer, of chunks with these ids; a capital one carries nothing. */
function secondOf(ids: readonly string[], { endsAfter = -1 } = {}): number {
  const answer = new AnswerIds();
  return ids.findIndex((id, index) => {
    const isEmpty = id !== id.toLowerCase();
    const isSecond = answer.isSecond({ id: id.toLowerCase(), hasOutput: !isEmpty, isStart: false });
    if (index === endsAfter) answer.end();
    return isSecond;
  });
}

test.each<readonly [string, readonly string[]]>([
  ["one id", ["a", "a", "a"]],
  ["no id", ["", "", ""]],
  ["an id that comes later", ["", "a", "a"]],
  ["another id for each chunk", ["a", "b", "c", "d"]],
  ["another id for each chunk but two neighbours", ["a", "b", "c", "c"]],
  ["another id before there is any output", ["A", "b", "b", "b"]],
  ["another id for the usage at the end", ["a", "a", "B"]],
])("%s is one answer", (_ids, ids) => {
  expect(secondOf(ids)).toBe(-1);
});

test.each<readonly [string, readonly string[], number]>([
  ["an id that comes twice", ["a", "a", "b"], 2],
  ["the first chunk", ["a", "b", "b"], 2],
  ["the first chunk, with ids left out", ["a", "b", "", "b"], 3],
])("another id behind %s is a second answer", (_place, ids, index) => {
  expect(secondOf(ids)).toBe(index);
});

test("another id after an ending is a second answer", () => {
  expect(secondOf(["a", "b"], { endsAfter: 0 })).toBe(1);
});

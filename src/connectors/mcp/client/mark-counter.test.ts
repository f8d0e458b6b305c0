import { expect, test } from "vitest";
import { MarkCounter, mostMarks } from "./mark-counter.ts";

test.each<[string, number]>([
  ['{"a":1,"b":[2,3]}', 6],
  ['{"a,b:{[":"\\",:[{"}', 2],
  ['"\\\\",1', 1],
  ["", 0],
])("brackets, commas and colons of %j are counted outside of texts, in pieces of any size", (text, marks) => {
  const bytes = new TextEncoder().encode(text);
  for (const size of [1, 2, 3, 100]) {
    const counter = new MarkCounter();
    for (let at = 0; at < bytes.length; at += size) counter.add(bytes.subarray(at, at + size));
    expect(counter.count).toBe(marks);
    counter.reset();
    expect(counter.count).toBe(0);
  }
});

test("a message may have one for each 64 bytes that it may have, and some in any case", () => {
  expect([mostMarks(16_777_216), mostMarks(6_400_064), mostMarks(10)]).toEqual([262_144, 100_001, 65_536]);
});

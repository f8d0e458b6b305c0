import { expect, test } from "vitest";
import { MarkCounter } from "./mark-counter.ts";

test.each<[string, number]>([
  ['{"a":1,"b":[2,3]}', 6],
  ['{"a,b:{[":"\\",:[{"}', 2],
  ['"\\\\",1', 1],
  ["", 0],
  [': "\ndata: {"a":1}', 4],
  [': "\\\r{"a":1}', 3],
])("brackets, commas and colons of %j are counted outside of texts, in pieces of any size", (text, marks) => {
  const bytes = new TextEncoder().encode(text);
  for (const size of [1, 2, 3, 100]) {
    const counter = new MarkCounter();
    for (let at = 0; at < bytes.length; at += size) counter.add(bytes.subarray(at, at + size));
    expect(counter.count).toBe(marks);
    counter.reset();
    expect(counter.count).toBe(0);
    counter.addText(text);
    expect(counter.count).toBe(marks);
  }
});

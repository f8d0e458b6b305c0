import { expect, test } from "vitest";
import { LineReader } from "./line-reader.ts";
import { replyToTooLong, replyToUnreadable } from "./unreadable.ts";

function read(
  limit: number,
  chunks: readonly string[],
): { lines: string[]; tooLong: (readonly unknown[])[] } {
  const lines: string[] = [];
  const tooLong: (readonly unknown[])[] = [];
  const reader = new LineReader(limit, {
    line: (text) => void lines.push(text),
    tooLong: (...ends) => void tooLong.push(ends),
  });
  for (const chunk of chunks) reader.push(Buffer.from(chunk, "latin1"));
  return { lines, tooLong };
}

test("lines are the same however they are parted", () => {
  const text = Buffer.from("one\n\nzwölf\nthree\n").toString("latin1");
  for (let size = 1; size <= text.length; size++) {
    const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
      text.slice(at * size, (at + 1) * size),
    );
    expect(read(100, chunks).lines).toEqual(["one", "zwölf", "three"]);
  }
});

test("a line of more values than its limit allows for is too long, and the next one is whole", () => {
  const many = `{"id":7,"many":[${"1,".repeat(70_000)}1]}`;
  const { lines, tooLong } = read(1_000_000, [many.slice(0, 90_000), many.slice(90_000), "\nnext\n"]);
  expect(lines).toEqual(["next"]);
  expect(tooLong).toEqual([[many.slice(0, 256), many.slice(-256), many.length]]);
});

test("of a line that is too long the ends are kept, and the next one is whole", () => {
  const long = `{"id":7,${"x".repeat(5_000)}"end":1}`;
  for (const size of [1, 100, 100_000]) {
    const text = `${long}\nnext\n`;
    const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
      text.slice(at * size, (at + 1) * size),
    );
    const { lines, tooLong } = read(1_000, chunks);
    expect(lines).toEqual(["next"]);
    expect(tooLong).toEqual([[long.slice(0, 256), long.slice(-256), long.length]]);
  }
});

test.each([
  ['{"jsonrpc":"2.0","id":12,"result":{', "}}", 12],
  ['{"id": 12, "jsonrpc":"2.0","result":{', "}}", 12],
  ['{"result":{"id":3,', '"}]},"jsonrpc":"2.0","id":12}', 12],
  ['{"result":{"id":3,', '"}]},"id":12,"jsonrpc":"2.0"}', 12],
  ['{"result":{"id":3,', '"}]}}', undefined],
])("the request of an answer that is too long is found by its ends: %s...%s", (head, tail, id) => {
  expect(replyToTooLong(head, tail, "9 bytes")?.id).toBe(id);
});

test.each([
  [{ id: 1, result: 5 }, 1],
  [{ id: "a", neither: 1 }, "a"],
  [{ id: 1, method: 5 }, undefined],
  [{ id: null }, undefined],
  [[], undefined],
  [null, undefined],
])("an answer that cannot be read ends its request: %j", (message, id) => {
  expect(replyToUnreadable(message)?.id).toBe(id);
});

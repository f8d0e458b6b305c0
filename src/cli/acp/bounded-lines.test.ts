import { expect, test } from "vitest";
import { boundedLines, type LeftOut } from "./bounded-lines.ts";

/** What comes of an input in pieces, with at most 100 bytes a line. */
async function linesOf(...pieces: readonly string[]): Promise<{ lines: string[]; leftOut: LeftOut[] }> {
  const [lines, leftOut]: [string[], LeftOut[]] = [[], []];
  const input = (async function* () {
    for (const piece of pieces) yield Buffer.from(piece);
  })();
  for await (const line of boundedLines(input, 100, (message) => leftOut.push(message)))
    lines.push(Buffer.from(line).toString());
  return { lines, leftOut };
}

const long = "x".repeat(100);

test("lines come as they are, whatever pieces they come in, and the last needs no end", async () => {
  const { lines, leftOut } = await linesOf('{"a":1}\n{"b', '":2}\r\n\n{"c', '":"', "é", '"}');
  expect(lines).toEqual(['{"a":1}\n', '{"b":2}\r\n', '{"c":"é"}\n']);
  expect(leftOut).toEqual([]);
});

test("a line of the limit is read, and one with a byte more is left out, in pieces too", async () => {
  const { lines, leftOut } = await linesOf(`${"x".repeat(100)}\n`, "y".repeat(60), `${"y".repeat(41)}\nz\n`);
  expect(lines).toEqual([`${"x".repeat(100)}\n`, "z\n"]);
  expect(leftOut.map(({ reason }) => reason)).toEqual([
    "The message has 101 bytes. At most 100 are read. Send less at once.",
  ]);
});

test.each([
  ['{"jsonrpc":"2.0","id":3,"method":"a","params":', 3],
  ['{ "method" : "a", "id" : "own\\"x", "params" : ', 'own"x'],
  ['{"method":"a","params":{"id":4},"id":5,', null],
  ['{"id":null,"method":"a","params":', null],
  ['{"id":1.5,"method":"a","params":', null],
  ['{"id":"\\q","method":"a","params":', null],
  ["no JSON", null],
])("a request that is too long is answered: %s", async (head, id) => {
  const { lines, leftOut } = await linesOf(`${head}"${long}"}\n`);
  expect(lines).toEqual([]);
  expect(leftOut.map(({ answer, isResponse }) => [JSON.parse(answer), isResponse])).toMatchObject([
    [{ jsonrpc: "2.0", id, error: { code: -32_600, data: { code: "message-too-large" } } }, false],
  ]);
});

test("a response that is too long is an error for its request", async () => {
  const { lines, leftOut } = await linesOf(`{"jsonrpc":"2.0","id":7,"result":{"x":"${long}"}}\n`);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ id: 7, error: { code: -32_600 } }]);
  expect(leftOut).toMatchObject([{ isResponse: true }]);
});

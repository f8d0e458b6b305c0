/* oxlint-disable typescript/no-explicit-any -- programs write it */
import { expect, test } from "vitest";
import { schemaOf, type ToolContext } from "skein";

type Hidden = (city: string, who: any) => unknown;
type Move = (from: string, to: string) => unknown;

const real = (city: string, who: ToolContext<{ user: string }>) => `${city} for ${who.context.user}`;
const swapped = (to: string, from: string) => `${from} to ${to}`;
const hidden: Record<string, Hidden> = { go: real };
const hiddenMap = new Map<string, Hidden>([["go", real]]);
const moves: Record<string, Move> = { go: swapped };
const typedMove: Move = (to, from) => `${from} to ${to}`;

interface Port {
  pay(from: string, to: string): unknown;
}
const port: Port = { pay: (to: string, from: string) => `${from} to ${to}` };

function logged<Args extends unknown[], Result>(fn: (...args: Args) => Result) {
  return (...args: Args): Result => fn(...args);
}

function define(fn: Move) {
  return fn;
}

test.each([
  ["an entry of a record", () => schemaOf(logged(hidden["go"]!))],
  ["a value of a map", () => schemaOf(logged(hiddenMap.get("go")!))],
  ["written type arguments", () => schemaOf(logged<[city: string, who: any], unknown>(real))],
])("a wrapper whose type may hide a context is refused: %s", async (_, schema) => {
  await expect(schema()).rejects.toThrow(/any, which may hide a ToolContext|takes a ToolContext/);
});

test.each([
  ["a typed object's method", () => schemaOf(logged(port.pay))],
  ["a typed constant", () => schemaOf(logged(typedMove))],
  ["an entry of a record", () => schemaOf(logged(moves["go"]!))],
])("a wrapper whose type may name arguments otherwise than the code is refused: %s", async (_, schema) => {
  await expect(schema()).rejects.toThrow(/other names in its code than in its type|known by a type alone/);
});

test("a helper that returns what it gets has the names of the function", async () => {
  const { inputSchema } = await schemaOf(define(swapped));
  expect(Object.keys(inputSchema.properties ?? {})).toEqual(["to", "from"]);
});

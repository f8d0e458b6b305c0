import { expect, test } from "vitest";
import { resolveTools } from "../tool/register-tools.ts";
import { tool } from "skein";
import { offeredTools } from "./offered-tools.ts";
import type { Caller } from "./policies/allow.ts";

const input = { type: "object", properties: {} } as const;

/** A caller that may use the tools of these numbers. */
const who = (...numbers: readonly number[]): Caller => ({
  context: { numbers },
  agent: undefined,
  signal: undefined,
  warn: () => {},
});

/** Tools of which a caller may use those of its numbers. */
const guarded = (count: number) =>
  resolveTools(
    Array.from({ length: count }, (_, index) =>
      tool({
        name: `t${index}`,
        input,
        allow: ({ context }) => Object(context).numbers.includes(index),
        execute: () => index,
      }),
    ),
  );

test("tools that every caller may use are the same table", async () => {
  const table = await resolveTools([tool({ name: "open", input, execute: () => 1 })]);
  expect(await offeredTools(table, who())).toBe(table);
});

test("a caller is offered what it may use, and the same table for the same tools", async () => {
  const table = await guarded(3);
  const first = await offeredTools(table, who(0, 2));
  expect([first.names, [...first.refused]]).toEqual([["t0", "t2"], ["t1"]]);
  expect((await offeredTools(table, who(1))).names).toEqual(["t1"]);
  expect(await offeredTools(table, who(2, 0))).toBe(first);
});

test("sixty-four selections of one list of tools are kept", async () => {
  const table = await guarded(7);
  const bits = (mask: number): Caller =>
    who(...[0, 1, 2, 3, 4, 5, 6].filter((bit) => (mask >> bit) % 2 === 1));
  const first = await offeredTools(table, bits(0));
  for (let mask = 1; mask < 64; mask++) await offeredTools(table, bits(mask));
  expect(await offeredTools(table, bits(0))).toBe(first);
  const last = await offeredTools(table, bits(64));
  const again = await offeredTools(table, bits(0));
  expect(again).not.toBe(first);
  expect(again.names).toEqual(first.names);
  expect(await offeredTools(table, bits(64))).toBe(last);
});

test("a tool whose replacement is refused is refused as well, however often it was replaced", async () => {
  const old = (name: string, use: string) => tool({ name, input, deprecated: { use }, execute: () => 1 });
  const table = await resolveTools([
    old("oldest", "older"),
    old("older", "t0"),
    tool({ name: "other", input, execute: () => 1 }),
    tool({ name: "t0", input, allow: () => false, execute: () => 1 }),
  ]);
  expect((await offeredTools(table, who())).names).toEqual(["other"]);
});

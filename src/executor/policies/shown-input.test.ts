import { describe, expect, test } from "vitest";
import { tool, type Tool } from "skein";
import type { FilledCall } from "../types.ts";
import { inputAsShown, isSameInput, shownInput } from "./shown-input.ts";

const outside = { source: undefined, signal: undefined };
const number = { type: "object", properties: { n: { type: "number" } }, required: ["n"] } as const;
const work = tool({ name: "work", input: number, execute: () => "" });

/** The tool, with arguments that are checked in another way. */
function checking(validate: Tool["inputSchema"]["validate"]): Tool {
  return { ...work, inputSchema: { ...work.inputSchema, validate } };
}

test("an input is shown as plain JSON that cannot be changed", () => {
  const shown = shownInput({ at: new Date(0), rows: [1] });
  expect(shown).toEqual({ at: "1970-01-01T00:00:00.000Z", rows: [1] });
  expect(Object.isFrozen(Object(shown).rows)).toBe(true);
});

test("inputs are equal whatever the order of their keys is", () => {
  expect(isSameInput({ a: 1, b: [2] }, { b: [2], a: 1 })).toBe(true);
  expect(isSameInput({ a: 1 }, { a: 1, b: 2 })).toBe(false);
});

describe("what a person was shown", () => {
  test("is the input itself where that looks the same", async () => {
    const input = { n: 1, at: new Date(0) };
    const shown = await inputAsShown(input, { at: "1970-01-01T00:00:00.000Z", n: 1 }, work, outside);
    expect(shown?.input).toBe(input);
  });

  test("is read as arguments where that has changed since", async () => {
    expect(await inputAsShown({ n: 2 }, { n: 1 }, work, outside)).toEqual({ input: { n: 1 } });
  });

  test("is not available where the arguments do not fit, or come to something else", async () => {
    expect(await inputAsShown({ n: 2 }, { n: "one" }, work, outside)).toBeUndefined();
    const counting = checking(() => ({ ok: true, value: { n: 3 } }));
    expect(await inputAsShown({ n: 2 }, { n: 1 }, counting, outside)).toBeUndefined();
  });

  test("rejects with the mistake of a schema that throws", async () => {
    const broken = checking(() => {
      throw new Error("no such table");
    });
    await expect(inputAsShown({ n: 2 }, { n: 1 }, broken, outside)).rejects.toThrow("no such table");
  });
});

describe("with results put into the arguments", () => {
  const any = checking((value) => ({ ok: true, value }));
  const source = (filled: object, ...places: FilledCall["places"]): FilledCall => {
    const call = { toolCallId: "c", toolName: "work", arguments: "{}" };
    return { call, filled: { ...call, arguments: JSON.stringify(filled) }, places };
  };
  const shownWith = (filled: FilledCall, visible: Parameters<typeof inputAsShown>[1]) =>
    inputAsShown({ other: true }, visible, any, { source: filled, signal: undefined });

  test("what was shown is read where the results are the same", async () => {
    const filled = source({ n: 2, rows: [{ id: 7 }] }, ["rows", 0, "id"]);
    const visible = { n: 1, rows: [{ id: 7 }] };
    expect(await shownWith(filled, visible)).toEqual({ input: visible });
  });

  test("it is not available where one of them has changed, or is not there", async () => {
    const filled = source({ a: 1, rows: [{ id: 7 }] }, ["a"], ["rows", 0, "id"]);
    expect(await shownWith(filled, { a: 1, rows: [{ id: 8 }] })).toBeUndefined();
    expect(await shownWith(filled, { a: 2, rows: [{ id: 7 }] })).toBeUndefined();
    expect(await shownWith(filled, { a: 1, rows: [] })).toBeUndefined();
    expect(await shownWith(filled, { a: 1, rows: null })).toBeUndefined();
  });

  test("only an object's own members are results", async () => {
    const filled = source({ rows: [] }, ["rows", "toString"]);
    expect(await shownWith(filled, { rows: {} })).toEqual({ input: { rows: {} } });
  });
});

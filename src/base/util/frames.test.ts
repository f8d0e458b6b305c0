import { afterEach, expect, test } from "vitest";
import { captureFrames, keepRawFrames, readRawFrames } from "./frames.ts";

const original: unknown = Reflect.get(Error, "prepareStackTrace");

afterEach(() => setPrepare(original));

function setPrepare(value: unknown): void {
  if (value === undefined) Reflect.deleteProperty(Error, "prepareStackTrace");
  else Reflect.set(Error, "prepareStackTrace", value);
}

function called(): { readonly stack?: string } {
  return captureFrames(called, 1) ?? {};
}

/** As what maps stacks does: the text tells another place. */
function mapped(_error: unknown, frames: readonly object[]): string {
  return `Error\n    at mapped (/app/source.ts:${frames.length}:7)`;
}

const engine = { url: expect.stringMatching(/frames\.test\.ts/), scriptHash: expect.any(String) };
const ways: readonly (readonly [way: string, prepare: unknown])[] = [
  ["what the platform has", original],
  ["a function that maps it", mapped],
  ["the engine alone", undefined],
];

test.each(ways)("the frame is the caller's, its text made by %s", (_way, prepare) => {
  setPrepare(prepare);
  const before = called();
  const site = called();
  expect(readRawFrames(site)).toEqual([expect.objectContaining(engine)]);
  expect(readRawFrames(site)).toBe(readRawFrames(site));
  expect(Reflect.get(Error, "prepareStackTrace")).toBe(prepare);
  const withoutPosition = (stack = ""): string => stack.replaceAll(/:\d+:\d+\)?$/gm, "");
  expect(withoutPosition(site.stack)).toBe(withoutPosition(before.stack));
  const [, frame, ...others] = String(site.stack).split("\n");
  expect(others).toEqual([]);
  expect(frame).toMatch(prepare === mapped ? /source\.ts:1:7/ : /frames\.test\.ts/);
});

test("a function that is set after the call makes the text, and has the frames of the call", () => {
  const site = called();
  setPrepare(mapped);
  expect(readRawFrames(site)).toEqual([expect.objectContaining(engine)]);
  expect(site.stack).toBe("Error\n    at mapped (/app/source.ts:1:7)");
});

test("a text that was read first leaves no frames of the engine where one capture does for both", () => {
  setPrepare(mapped);
  const site = called();
  expect(site.stack).toContain("source.ts");
  expect(readRawFrames(site)).toEqual([]);
});

test("a function that throws is left as it was", () => {
  const fail = (): never => {
    throw new Error("not mapped");
  };
  setPrepare(fail);
  const site = called();
  expect(() => readRawFrames(site)).toThrow("not mapped");
  expect(Reflect.get(Error, "prepareStackTrace")).toBe(fail);
});

test("an error keeps its own stack beside the engine's frames", () => {
  function failing(): Error {
    const error = new Error("here");
    keepRawFrames(error, failing, 1);
    return error;
  }
  const error = failing();
  expect(readRawFrames(error)).toEqual([expect.objectContaining(engine)]);
  expect(error.stack).toMatch(/^Error: here\n\s+at failing/);
});

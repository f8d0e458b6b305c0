import { expect, test } from "vitest";
import { ignoreRejections } from "./dropped-promises.ts";

const fails = (): Promise<never> => Promise.reject(new Error("no"));

/** What is unhandled after a value was looked through. */
async function unhandledOf(value: unknown): Promise<unknown[]> {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): unknown => unhandled.push(reason);
  process.on("unhandledRejection", note);
  ignoreRejections(value);
  await new Promise((resolve) => setTimeout(resolve, 5));
  process.off("unhandledRejection", note);
  return unhandled;
}

test.each<[string, () => unknown]>([
  ["itself", fails],
  ["in an object in a list", () => [{ of: fails() }]],
  ["in a map, as key and as value", () => new Map([[fails(), fails()]])],
  ["in a set", () => new Set([fails()])],
])("a promise is seen to: %s", async (_, make) => {
  expect(await unhandledOf(make())).toEqual([]);
});

test("what cannot be looked into changes nothing, and no getter is called", () => {
  let calls = 0;
  const value = {
    get calls(): number {
      return ++calls;
    },
  };
  const refusing = new Proxy(
    {},
    {
      ownKeys() {
        throw new Error("no");
      },
    },
  );
  const circle: { of?: unknown } = {};
  circle.of = circle;
  for (const each of [value, refusing, circle, null, undefined, 1, new Uint8Array(3)])
    expect(ignoreRejections(each)).toBeUndefined();
  expect(calls).toBe(0);
});

test("a long list takes neither long nor much", () => {
  const list = Array.from({ length: 3_000_000 }, (_, index) => index);
  const start = performance.now();
  ignoreRejections([list, list]);
  expect(performance.now() - start).toBeLessThan(5_000);
});

import { expect, test } from "vitest";
import { parameterNames } from "./parameter-names.ts";

test("names are read from every form of function", () => {
  expect(parameterNames((city: string, days = 3) => `${city}${days}`)).toEqual(["city", "days"]);
  expect(
    parameterNames(async function named(this: unknown, a: string) {
      await Promise.resolve(a);
    }),
  ).toEqual(["a"]);
  expect(
    parameterNames(
      {
        method(a: string, ...rest: string[]) {
          return [a, rest];
        },
      }.method,
    ),
  ).toEqual(["a", "rest"]);
  expect(parameterNames((only: string) => only)).toEqual(["only"]);
  expect(parameterNames(() => 1)).toEqual([]);
});

test("a destructured parameter has no name", () => {
  expect(parameterNames(({ a, b = [1, 2] }: { a: string; b?: number[] }, c: string) => [a, b, c])).toEqual([
    undefined,
    "c",
  ]);
});

test("commas and brackets within strings, comments and defaults do not count", () => {
  // oxlint-disable-next-line no-new-func -- the source must reach the parser with its comments
  const fn = new Function("a /* , x */, b = ',(', // c\n d = f(1, [2, 3])", "") as () => unknown;
  expect(parameterNames(fn)).toEqual(["a", "b", "d"]);
});

test("a bound function gives none", () => {
  expect(parameterNames(((a: string) => a).bind(null))).toBeUndefined();
});

import { expect, test } from "vitest";
import { parameterNames } from "./parameter-names.ts";

test("names are read from every form of function", () => {
  expect(parameterNames((city: string, days = 3) => city.repeat(days))).toEqual(["city", "days"]);
  expect(parameterNames((only: string) => only)).toEqual(["only"]);
  expect(parameterNames(() => 1)).toEqual([]);
  const { method } = { method: (a: string, ...rest: string[]) => [a, rest] };
  expect(parameterNames(method)).toEqual(["a", "rest"]);
});

test("a destructured parameter has an empty name", () => {
  const fn = ({ a, b = [1, 2] }: { a: string; b?: number[] }, c: string) => [a, b, c];
  expect(parameterNames(fn)).toEqual(["", "c"]);
});

test("a bound function gives none", () => {
  expect(parameterNames(((a: string) => a).bind(null))).toEqual([]);
});

test("commas and brackets within defaults, strings and comments do not count", () => {
  const fn = (a = [1, 2], b = ",(", /* , x */ c = ")}`", { d } = { d: "," }) => [a, b, c, d];
  expect(parameterNames(fn)).toEqual(["a", "b", "c", ""]);
});

import { expect, test } from "vitest";
import { unboundThisMessage } from "./unbound-this.ts";

test("what a function needs is named, with what to write", () => {
  expect(unboundThisMessage("getPrice", "Shop")).toBe(
    "The function getPrice needs this to be Shop, and a tool is called without one. " +
      "Pass getPrice.bind(object), or an arrow function that calls it on the object: " +
      "(city: string) => getPrice.call(object, city).",
  );
});

test("a function without a name is called fn", () => {
  expect(unboundThisMessage("", "Shop")).toMatch(/^The function fn needs .* Pass fn\.bind.*=> fn\.call\(/);
});

import { expect, test } from "vitest";
import { isClassText, isStripped, shapeOf } from "./function-text.ts";

test.each([
  ["function f(a, b = 1) {}", ["a", "b"]],
  ["async function* f ( a ) {}", ["a"]],
  ["a => a", ["a"]],
  ["async ä => ä", ["ä"]],
  ["async (a, ...rest) => a", ["a", "...rest"]],
  ["() => 1", []],
  ["method(a) { return [a]; }", ["a"]],
  ["['comp(uted']( a ) {}", ["a"]],
  ["'quo(ted'(a) {}", ["a"]],
  ["get x() { return 1; }", []],
  ["function f(a /* , b */, // c\n d) {}", ["a", "d"]],
  ["function f(a = ')', b = `}${[1, (2)]}`, c = /[/(,]\\//) {}", ["a", "b", "c"]],
  ["function f(a = (1 / 2), b = (x, y) => [x / y]) {}", ["a", "b"]],
  ["({ city, days = [1, 2], 'a b': c, d: { e }, ...rest }, [f]) => 1", ["{city,days,a b,d,...rest}", "[]"]],
  ["function f(a        , b         = 1,) {}", ["a", "b"]],
])("the parameters of %s are read", (text, parameters) => {
  expect(shapeOf("f", text)).toEqual({ name: "f", parameters });
});

test("the marks that bind and vite leave on a name are taken off", () => {
  expect(shapeOf("bound bound f", "() => 1").name).toBe("f");
  expect(shapeOf("__vite_ssr_export_default__", "() => 1").name).toBe("default");
});

test("text without a parameter list has a shape without parameters", () => {
  expect(shapeOf("f", "nonsense")).toEqual({ name: "f" });
});

test("distinguishes a class from a function", () => {
  expect(isClassText("class A {}")).toBe(true);
  expect(isClassText("classify(a) {}")).toBe(false);
});

test("stripped text is the source with its types blanked out", () => {
  const source = "export function f(a: string): void {}";
  expect(isStripped(source, "function f(a        )       {}")).toBe(true);
  expect(isStripped(source, "function f(a        )       { }")).toBe(false);
  expect(isStripped("f() {}", "export function f() {}")).toBe(false);
});

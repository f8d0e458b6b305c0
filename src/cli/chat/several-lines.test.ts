import { expect, test } from "vitest";
import { severalLines } from "./several-lines.ts";

/** The inputs that lines make, and what is left. */
function inputs(...lines: string[]): { readonly inputs: string[]; readonly begun: string | undefined } {
  const several = severalLines();
  const all = lines.flatMap((line) => several.add(line) ?? []);
  return { inputs: all, begun: several.pending };
}

test("a line is an input", () => {
  expect(inputs("one", "", "two")).toEqual({ inputs: ["one", "", "two"], begun: undefined });
});

test("a line that ends in a backslash goes on with the next", () => {
  expect(inputs("one\\", "two\\", "three", "four")).toEqual({
    inputs: ["one\ntwo\nthree", "four"],
    begun: undefined,
  });
});

test("a fenced block is one input, backslashes and shorter fences in it included", () => {
  const block = ["Look:", "````ts", "a \\", "```", "", "b", "````"];
  expect(inputs(...block, "next")).toEqual({
    inputs: ["Look:", block.slice(1).join("\n"), "next"],
    begun: undefined,
  });
  expect(inputs("See\\", "~~~", "c", "~~~")).toEqual({ inputs: ["See\n~~~\nc\n~~~"], begun: undefined });
});

test("a fence that opens and closes in one line of text is not a block", () => {
  expect(inputs("use ```x``` here").inputs).toEqual(["use ```x``` here"]);
  expect(inputs("```x```").inputs).toEqual(["```x```"]);
});

test("what is begun can be taken, or forgotten", () => {
  const several = severalLines();
  several.add("```");
  several.add("a");
  expect(several.pending).toBe("```\na");
  expect(several.take()).toBe("```\na");
  expect(several.take()).toBeUndefined();
  expect(several.add("b")).toBe("b");
});

test("lines that came pasted wait for what is typed behind them", () => {
  const several = severalLines();
  expect(several.add("one", true)).toBeUndefined();
  expect(several.add("two", true)).toBeUndefined();
  expect(several.add("three")).toBe("one\ntwo\nthree");
});

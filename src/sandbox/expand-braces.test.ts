import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { expandBraces } from "./expand-braces.ts";

test.each([
  "a.txt",
  "{a,b}.txt",
  "src/{a,b}/*.{ts,tsx}",
  "{a,{b,c}d}",
  "{a,}",
  "{a}.txt",
  "x{a}{b,c}",
  "{a{b,c}}",
  "{a,b",
  "a,b}",
  "{{a,b}",
  "{}",
  "{,}x",
])("%s stands for what bash makes of it", (pattern) => {
  const script = `for each in ${pattern}; do printf '%s\\n' "$each"; done`;
  const bash = execFileSync("bash", ["-f", "-c", script], { encoding: "utf8" });
  expect(new Set(expandBraces(pattern).filter((each) => each !== ""))).toEqual(
    new Set(bash.split("\n").filter((line) => line !== "")),
  );
});

test("a brace behind a backslash is a character", () => {
  expect(expandBraces("\\{a,b}")).toEqual(["\\{a,b}"]);
});

test("the patterns are few, and what stands for more is an error", () => {
  expect(expandBraces("{a,b}".repeat(6))).toHaveLength(64);
  for (const pattern of ["{a,b}".repeat(7), "{a,b}".repeat(800), `{${"a,".repeat(65)}}`])
    expect(() => expandBraces(pattern.replaceAll(/a/g, () => crypto.randomUUID()))).toThrow(
      "stand for more than 64 patterns",
    );
});

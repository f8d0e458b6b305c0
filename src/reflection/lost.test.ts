import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { FunctionSchema } from "../schema/function-schema.ts";
import { lostInBuild } from "./lost.ts";

let folder: string;

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "skein-lost-")));
  writeFileSync(join(folder, "package.json"), "{}");
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const nothing: FunctionSchema = { name: "ping", inputSchema: {}, parameters: [] };
const compiled = "//# sourceMappingURL=a.js.map";
const minified = "x".repeat(400);

function ping(): string {
  return "pong";
}

function lossIn(script: string, content: string, text: string, schema = nothing): string | undefined {
  const file = join(folder, script);
  writeFileSync(file, content);
  return lostInBuild(schema, { fn: ping, text, script: file })?.message;
}

test("a function of a minified file may have another name", () => {
  expect(lossIn("a.js", minified, "function p() {}")).toMatch(
    /its name may not be the one it was written with.*is minified: build it with Skein's plugin/,
  );
});

test("a function of a bundle may have another name", () => {
  expect(lossIn("b.js", 'Symbol.for("skein.schemas")', "function ping2() {}")).toMatch(/is a bundle/);
});

test.each(["reset() { }", "async reset() { }", "*reset () {\n}", "async *reset() { }", '["re set"]() { }'])(
  "whether the compiled method %s is private is not known",
  (text) => {
    expect(lossIn("c.js", compiled, text)).toMatch(/whether it is private is not known.*skein attach/);
  },
);

test.each([
  "function reset() { }",
  "async function reset() { }",
  "() => 1",
  "async () => { }",
  "function* a() { }",
])("%s is compiled, but nobody's private method", (text) => {
  expect(lossIn("d.js", compiled, text)).toBeUndefined();
});

test("JavaScript that somebody wrote has lost nothing", () => {
  expect(lossIn("e.js", "class A { reset() { } }", "reset() { }")).toBeUndefined();
});

test("what has parameters has shown its types", () => {
  const parameters = [{ kind: "property", name: "a" }] as const;
  expect(lossIn("f.js", minified, "function p(a) {}", { ...nothing, parameters })).toBeUndefined();
});

test("TypeScript has lost nothing", () => {
  expect(lossIn("g.ts", minified, "function p() {}")).toBeUndefined();
});

import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { FunctionSchema } from "../../schema/function-schema.ts";
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

const squeezed = `import{tool as e}from"skein";function r(){return"pong, x = 1; y"}var o=[e(r)];console.log(o);`;

test.each([
  ["short, in which nothing but the spaces is missing", squeezed],
  ["with schemas attached to other functions", `import{attach as t}from"skein/attach";${squeezed}`],
  ["of CommonJS", `"use strict";var e=require("skein");function r(){return"pong"}exports.o=[e.tool(r)];`],
  ["with its licences left", `/*! A licence, such as = this; or that */\n${squeezed}\n// The end, of it.\n`],
])("a function without parameters of a minified file may have another name: %s", (_what, content) => {
  expect(lossIn("m.js", content, 'function r(){return"pong"}')).toMatch(
    /its name may not be the one it was written with/,
  );
});

test.each([
  ["one line", 'export function ping(){return "pong";}'],
  ["no semicolons", "import { tool } from 'skein'\nconst ping = () => 'pong'\nexport default [tool(ping)]"],
  [
    "dense",
    'import {tool} from "skein";\nfunction ping(){\n\treturn "pong";\n}\nexport const all=[tool(ping), 1];\n',
  ],
  ["compiled", 'import { tool } from "skein";\nvar ping = () => "pong";\nexport { ping };\n'],
])("a file written by a person or a compiler keeps its names: %s", (_what, content) => {
  expect(lossIn("w.js", content, "function ping(){return 'pong';}")).toBeUndefined();
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
])("%s is compiled, but not a private method", (text) => {
  expect(lossIn("d.js", compiled, text)).toBeUndefined();
});

test("JavaScript written by a person has lost nothing", () => {
  expect(lossIn("e.js", "class A { reset() { } }", "reset() { }")).toBeUndefined();
});

test("what has parameters has shown its types", () => {
  const parameters = [{ kind: "property", name: "a" }] as const;
  expect(lossIn("f.js", minified, "function p(a) {}", { ...nothing, parameters })).toBeUndefined();
});

test("TypeScript has lost nothing", () => {
  expect(lossIn("g.ts", minified, "function p() {}")).toBeUndefined();
});

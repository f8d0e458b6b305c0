import { expect, test } from "vitest";
import { readModuleText } from "./module-text.ts";

const names = (code: string): readonly string[] =>
  readModuleText(code).imports.map(({ specifier }) => specifier);

test("imports of every form are read, and whether they have attributes or are required", () => {
  const code = `import a from "a";
import { b,
  c } from './b.ts';
import "side-effect";
export * from "re-export";
export { d } from "d";
import rates from "./rates.json" with { type: "json" };
const e = await import("./lazy.ts");
const f = require("./f"), g = require.resolve("g");
import h = require("h");`;
  expect(names(code)).toEqual([
    "a",
    "./b.ts",
    "side-effect",
    "re-export",
    "d",
    "./rates.json",
    "./lazy.ts",
    "./f",
    "g",
    "h",
  ]);
  expect(readModuleText(code).imports.filter(({ isRequired }) => isRequired)).toHaveLength(3);
  expect(readModuleText(code).imports.filter(({ hasAttributes }) => hasAttributes)).toHaveLength(1);
});

test("what stands in comments does not count, and what looks like a comment in a string does not hide code", () => {
  expect(
    names(
      '// import "a";\n/* import "b"; */\n/** @param x - import("c") */\nconst glob = "src/**/*.ts"; import "d";',
    ),
  ).toEqual(["d"]);
  expect(
    readModuleText('/**\n@decorated comment\n*/\n// enum A {\nexport const mail = "a@b.c";').unusual,
  ).toBeUndefined();
});

test.each([
  ["a decorator", "class A {\n  @log\n  b() {}\n}", "decorator", 2],
  ["a decorator with arguments", "@Injectable({ a: 1 })\nclass A {}", "decorator", 1],
  ["an enum", "\nexport const enum Size { Small }", "typescript", 2],
  ["a namespace", "namespace A.B { export const c = 1; }", "typescript", 1],
  ["a parameter property", "class A { constructor(\n private readonly a: string) {} }", "typescript", 1],
  ["import =", 'import fs = require("node:fs");', "typescript", 1],
  ["export =", "const a = 1;\nexport = a;", "typescript", 2],
  ["an assertion in angle brackets", "const a = 1;\nconst b = <number>a;", "typescript", 2],
])("%s may need a loader, and its line is known", (_name, code, kind, line) => {
  expect(readModuleText(code).unusual).toEqual({ kind, line });
});

test.each([
  'import { Agent } from "skein";\nexport const a = (b: string, c = 1): Promise<Map<string, number>> => d<string>(b);',
  "const mail = /^[^@\\s]+@[^@\\s]+$/;",
  "const list = [1, 2].map((each) => each * 2);\nexport default class { a = 1; constructor(a: string) { this.a = a; } }",
])("what Node runs is not unusual: %s", (code) => {
  expect(readModuleText(code).unusual).toBeUndefined();
});

test("modules and CommonJS are told apart", () => {
  expect(readModuleText('import { a } from "a";')).toMatchObject({
    hasModuleSyntax: true,
    usesCommonJs: false,
  });
  expect(readModuleText("export const a = 1;")).toMatchObject({ hasModuleSyntax: true });
  expect(readModuleText('const a = require("a");\nmodule.exports = { a };')).toMatchObject({
    hasModuleSyntax: false,
    usesCommonJs: true,
  });
  expect(
    readModuleText('import path from "path";\nexport const here = path.join(__dirname, "x");'),
  ).toMatchObject({
    hasModuleSyntax: true,
    usesCommonJs: true,
  });
});

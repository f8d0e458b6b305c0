import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openCompiler, type Compiler, type Place } from "./index.ts";

const path = (name: string): string => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));

let compiler: Compiler;
beforeAll(async () => {
  compiler = await openCompiler();
});
afterAll(() => compiler.close());

const at = ({ line, column, length }: Place): string => `${line}:${column}+${length}`;

test("the outline names what may be a tool or hold tools, and where it stands", () => {
  const exports = compiler.outline(path("outline.ts"));
  expect(exports.map(({ name, place, function: fn }) => [name, at(place), fn !== undefined])).toEqual([
    ["paint", "10:17+5", true],
    ["travel", "15:14+6", true],
    ["tools", "17:7+3", false],
    ["bound", "24:14+5", false],
  ]);
});

test("a function's outline has its parameters, what it takes apart, and the names in its doc comment", () => {
  const [paint, travel] = compiler.outline(path("outline.ts"));
  expect(paint?.function?.parameters.map(({ name, place }) => [name, at(place)])).toEqual([
    ["colour", "10:23+6"],
    ["options", "10:39+7"],
    ["owner", "10:67+5"],
  ]);
  expect(paint?.function?.documented.map(({ name, place }) => [name, at(place)])).toEqual([
    ["colour", "6:11+6"],
    ["options.coats", "7:11+13"],
    ["brush", "8:11+5"],
  ]);
  const elements = travel?.function?.parameters[0]?.elements;
  expect(elements?.map(({ name, variable }) => [name, variable])).toEqual([
    ["from", undefined],
    ["to", "target"],
  ]);
});

test("the files that a file imports are found, types included, packages left out", () => {
  const files = [...compiler.imports(path("outline.ts"))];
  expect(files).toContain(path("outline.ts"));
  expect(files).toContain(path("types.ts"));
  expect(files).toContain(path("shapes.ts"));
  expect(files.some((file) => file.includes("node_modules"))).toBe(false);
});

test("a file that parses has no syntax error", () => {
  expect(compiler.syntaxErrors(path("outline.ts"))).toEqual([]);
});

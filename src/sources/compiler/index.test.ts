import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openCompiler, SchemaNotFoundError, type Compiler } from "./index.ts";

// Outside this repository: no tsconfig includes these files.
const folder = mkdtempSync(join(tmpdir(), "skein-compiler-"));
let compiler: Compiler;

beforeAll(async () => {
  compiler = await openCompiler({ cwd: folder });
});

afterAll(() => {
  compiler.close();
  rmSync(folder, { recursive: true });
});

function write(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

const city = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};

test("a default that the program can change is not in the schema", () => {
  const file = write(
    "changing-defaults.ts",
    "const cities = ['Oslo'];\ncities.push('Rome');\nconst limits = { most: 5, none: null };\n" +
      "export function find(from = cities, most = limits, none: null | 1 = null, nested: object = [cities]) {}",
  );
  const description = compiler.exports(file).get("find");
  expect(description).toMatchObject({ inputSchema: { properties: { none: { default: null } } } });
  expect(JSON.stringify(description)).not.toMatch(/Oslo|"most":\{[^}]*"default":\{"most"/);
});

test("a file without a tsconfig is read strictly, enums and defaults of other files included", () => {
  write(
    "levels.ts",
    'export enum Level { Low = "low", High = "high" }\nexport const days = [1, 2] as const;',
  );
  const file = write(
    "no-config.ts",
    'import { Level, days } from "./levels.ts";\n' +
      "export function report(note: string | null, level: Level = Level.High, on: readonly number[] = days) {}",
  );
  expect(compiler.exports(file).get("report")).toEqual({
    name: "report",
    inputSchema: {
      type: "object",
      properties: {
        note: { type: ["string", "null"] },
        level: { type: "string", enum: ["low", "high"], default: "high" },
        on: { type: "array", items: { type: "number" }, default: [1, 2] },
      },
      required: ["note"],
      additionalProperties: false,
    },
    parameters: [
      { kind: "property", name: "note" },
      { kind: "property", name: "level", default: { value: "high" } },
      { kind: "property", name: "on", default: { value: [1, 2] } },
    ],
  });
});

test("a type that cannot be resolved is a problem, not a string", () => {
  const file = write("unresolved.ts", 'import type { Gone } from "gone";\nexport function f(gone: Gone) {}');
  const description = compiler.exports(file).get("f");
  expect(description).toBeInstanceOf(SchemaNotFoundError);
  expect(description).toMatchObject({
    message: expect.stringContaining('parameter "gone": the type Gone cannot be resolved'),
    data: { problems: [{ line: 2 }] },
  });
});

test("finds functions of all kinds at an offset within their head", () => {
  const text =
    "const tools = { one(city: string) {}, two: async (city: string) => {} };\n" +
    "class Kit { static three(city: string) {} four = function* (city: string) {} }\n" +
    "export default async function (city: string) {}\n" +
    "// ünïcödé 🎉\nconst größe = (city: string): void => {};\n";
  const file = write("kinds.ts", text);
  const names = [
    "one(",
    "async (city: string) =>",
    "three(",
    "function*",
    "async function",
    "(city: string): void =>",
  ];
  const found = names.map((name) => compiler.functionAt(file, text.lastIndexOf(name)));
  expect(found).toEqual(
    ["one", "two", "three", "four", "default", "größe"].map((name) => ({
      name,
      inputSchema: city,
      parameters: [{ kind: "property", name: "city" }],
      // A member of instances that everybody may call.
      ...(name === "four" && { public: true }),
    })),
  );
});

test("lists exports by their exported names, including default and renamed ones", () => {
  write("first.ts", "export const one = (city: string) => city;");
  const file = write(
    "second.ts",
    'export { one as renamed } from "./first.ts";\nexport const none = 1;\nexport default (city: string) => city;',
  );
  const found = compiler.exports(file);
  expect([...found.keys()].toSorted()).toEqual(["default", "renamed"]);
  expect([...found.values()]).toMatchObject([{ inputSchema: city }, { inputSchema: city }]);
});

test("a parameter called __proto__ is a property like any other", () => {
  const file = write("proto.ts", "export function f(__proto__: string) {}");
  const description = compiler.exports(file).get("f");
  expect(JSON.stringify(description)).toContain('"properties":{"__proto__":{"type":"string"}}');
});

test("an offset without a function is a named error", () => {
  const file = write("empty.ts", "export const x = 1;\n");
  expect(compiler.functionAt(file, 3)).toMatchObject({
    code: "schema-not-found",
    message: expect.stringContaining("no function stands at offset 3"),
  });
});

test("a file that is not there is an error that names it", () => {
  const file = join(folder, "gone.ts");
  expect(() => compiler.exports(file)).toThrow(/gone\.ts/);
  expect(() => compiler.exports(file)).toThrow(SchemaNotFoundError);
});

test("functions of one shape are told apart by their place", () => {
  const file = write(
    "closures.ts",
    "const text = () => function tool(value: string) {};\nconst number = () => function tool(value: number) {};\n",
  );
  const found = compiler.functionsLike(file, { name: "tool", parameters: ["value"] });
  expect(found.map((each) => each.isAt({ line: 1, column: 30 }))).toEqual([false, true]);
  expect(found[1]?.describe()).toMatchObject({ inputSchema: { properties: { value: { type: "number" } } } });
  expect(compiler.functionsLike(file, { name: "tool", parameters: ["other"] })).toEqual([]);
});

test("a file that has changed is read again on request", () => {
  const file = write("changing.ts", "export function f(city: string) {}");
  expect(compiler.exports(file).get("f")).toMatchObject({ inputSchema: city });
  write("changing.ts", "export function g(city: string) {}");
  compiler.refresh([file]);
  expect([...compiler.exports(file).keys()]).toEqual(["g"]);
});

test("a file that a tsconfig includes is read under its options, and read again when it changes", () => {
  const project = join(folder, "project");
  mkdirSync(join(project, "src"), { recursive: true });
  write(
    "project/tsconfig.json",
    '{ "compilerOptions": { "paths": { "#lib": ["./lib.ts"] } }, "include": ["src"] }',
  );
  write("project/lib.ts", "export interface Place { city: string }");
  write("project/src/global.d.ts", 'declare type City = "z" | "a";');
  const one = write(
    "project/src/one.ts",
    'import type { Place } from "#lib";\nexport function one(at: Place) {}',
  );
  const two = write("project/src/two.ts", "export function two(city: City) {}");
  expect(compiler.exports(one).get("one")).toMatchObject({ inputSchema: { properties: { at: city } } });
  const cities = { type: "string", enum: ["z", "a"] };
  expect(compiler.exports(two).get("two")).toMatchObject({ inputSchema: { properties: { city: cities } } });
  write("project/lib.ts", "export interface Place { city: string; zone?: number }");
  compiler.refresh([join(project, "lib.ts")]);
  expect(compiler.exports(one).get("one")).toMatchObject({
    inputSchema: { properties: { at: { properties: { zone: { type: "number" } } } } },
  });
});

test("a file that only a referenced project includes is read under that project's options", () => {
  const project = join(folder, "solution");
  mkdirSync(join(project, "app"), { recursive: true });
  write("solution/tsconfig.json", '{ "files": [], "references": [{ "path": "./tsconfig.app.json" }] }');
  write(
    "solution/tsconfig.app.json",
    '{ "compilerOptions": { "composite": true, "strict": false }, "include": ["app"] }',
  );
  const file = write("solution/app/f.ts", "export function f(city: string | null) {}");
  expect(compiler.exports(file).get("f")).toMatchObject({ inputSchema: city });
  write("solution/app/f.ts", "export function g(city: string) {}");
  compiler.refresh([file]);
  expect([...compiler.exports(file).keys()]).toEqual(["g"]);
});

test("a file beside a tsconfig that does not include it is read strictly, JavaScript too", () => {
  mkdirSync(join(folder, "beside", "src"), { recursive: true });
  write("beside/tsconfig.json", '{ "compilerOptions": { "strict": false }, "include": ["src"] }');
  const script = write("beside/script.ts", "export function f(city: string | null) {}");
  const plain = write("beside/plain.js", "/** @param {string} city */\nexport function f(city) {}");
  expect(compiler.exports(script).get("f")).toMatchObject({
    inputSchema: { properties: { city: { type: ["string", "null"] } } },
  });
  expect(compiler.exports(plain).get("f")).toMatchObject({ inputSchema: city });
});

test("without strict null checks, warns that null is not visible", () => {
  mkdirSync(join(folder, "loose"));
  write("loose/tsconfig.json", '{ "compilerOptions": { "strict": false }, "files": ["loose.ts"] }');
  const file = write("loose/loose.ts", "export function f(city: string | null) {}");
  expect(compiler.exports(file).get("f")).toMatchObject({
    inputSchema: city,
    warnings: [expect.stringContaining("null in a type is not seen: turn it on in tsconfig.json")],
  });
});

test.each(["context?: Missing", "others?: Missing[]", "others?: { context?: Missing }"])(
  "a type that cannot be resolved is a problem where it need not be given, too: %s",
  (parameter) => {
    const file = write("missing.ts", `export function f(city: string, ${parameter}) {}`);
    compiler.refresh();
    expect(compiler.exports(file).get("f")).toMatchObject({
      message: expect.stringContaining("cannot be resolved"),
    });
    expect(compiler.exports(file).get("f")).not.toHaveProperty("data.placement");
  },
);

test("a type without end is a problem, not an endless loop", () => {
  const file = write(
    "endless.ts",
    "interface Box<T> { value: T; inner: Box<T[]> }\nexport function f(box: Box<string>) {}",
  );
  expect(compiler.exports(file).get("f")).toMatchObject({
    message: expect.stringContaining("nested deeper than"),
  });
});

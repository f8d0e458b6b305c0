import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { attach } from "../../schema/attach/attach.ts";
import { SchemaNotFoundError } from "../../errors.ts";
import { failed, remedyFor, withRemedy } from "./remedies.ts";

let folder: string;

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "skein-remedies-")));
  write("package.json", "{}");
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, text: string): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

function add(a: unknown, b: unknown): unknown {
  return [a, b];
}

const text = "function add(first, second) { return first + second; }";

test.each([
  { what: "TypeScript", path: "src/a.ts", content: text, expected: /^Write the type of each parameter/ },
  {
    what: "JavaScript",
    path: "src/a.js",
    content: text,
    expected: /src\/a\.js is JavaScript: .*@param \{string\} city/,
  },
  {
    what: "what a build has attached schemas in",
    path: "built/a.js",
    content: `import { attach } from "skein/attach";\n${text}`,
    expected: /was built with schemas, and this function has none: mend what the build warned of/,
  },
  {
    what: "a bundle of esbuild with Skein in it",
    path: "bundle/a.js",
    content: `var __defProp = Object.defineProperty;\nvar key = Symbol.for("skein.schemas");\n${text}`,
    expected: /is a bundle: build it with Skein's plugin: .*plugins: \[skein\.esbuild\(\)\]/,
  },
  {
    what: "a bundle of webpack with Skein in it",
    path: "bundle/b.js",
    content: `__webpack_require__(1);\nvar key = Symbol.for("skein.schemas");\n${text}`,
    expected: /plugins: \[skein\.webpack\(\)\]/,
  },
  {
    what: "a bundle of several sources",
    path: "bundle/c.js",
    content: `${text}\n//# sourceMappingURL=c.js.map\n`,
    also: { "bundle/c.js.map": '{"version":3,"sources":["../a.ts","../b.ts"],"mappings":""}' },
    expected: /is a bundle/,
  },
  {
    what: "a bundle that names its sources",
    path: "bundle/d.js",
    content: `// src/a.ts\n${text}\n// src/b.ts\n`,
    expected: /is a bundle/,
  },
  {
    what: "a bundle of Vite",
    path: "bundle/e.js",
    content: `// \\0rolldown/runtime.js\nvar __defProp = 1;\n// src/a.ts\n${text}\n// src/b.ts\n`,
    expected: /is a bundle: build it with Skein's plugin: .*plugins: \[skein\.vite\(\)\] \(or rolldown\)$/,
  },
  {
    what: "a chunk of Nitro with packages that esbuild made",
    path: "bundle/f.mjs",
    content: `import { d } from '../nitro/nitro.mjs';\nvar __defProp = "skein.schemas";\n${text}\n`,
    expected: /is a bundle: build it with Skein's plugin: .*plugins: \[skein\.rollup\(\)\]$/,
  },
  {
    what: "a long line",
    path: "small/a.js",
    content: text.repeat(20),
    expected: /is minified: build it with/,
  },
  {
    what: "what a compiler wrote a map for",
    path: "lib/a.js",
    content: `${text}\n//# sourceMappingURL=a.js.map\n`,
    also: { "lib/a.js.map": '{"version":3,"sources":["../a.ts"],"mappings":""}' },
    expected: /is the output of a compiler, without types: run "skein attach .*lib" after the compiler$/,
  },
  {
    what: "what a compiler wrote declarations for",
    path: "types/a.js",
    content: text,
    also: { "types/a.d.ts": "export declare function add(a: number, b: number): number;" },
    expected: /run "skein attach .*types"/,
  },
  {
    what: "a file of CommonJS that was a module",
    path: "common/deep/a.js",
    content: `Object.defineProperty(exports, "__esModule", { value: true });\n${text}`,
    expected: /run "skein attach .*common"/,
  },
  { what: "a file in dist", path: "dist/deep/a.js", content: text, expected: /run "skein attach .*\/dist"/ },
  {
    what: "a file in the folder that a tsconfig names",
    path: "project/emitted/a.js",
    content: text,
    also: { "project/tsconfig.json": '{ "compilerOptions": { "outDir": "./emitted" } }' },
    expected: /run "skein attach .*project\/emitted"/,
  },
  {
    what: "a package without types",
    path: "node_modules/plain/a.js",
    content: text,
    also: { "node_modules/plain/package.json": '{ "name": "plain" }' },
    expected: /^The package "plain" comes without types: npm i -D @types\/plain, or write tool\(/,
  },
  {
    what: "a package of a scope without types",
    path: "node_modules/@some/plain/a.js",
    content: text,
    expected: /npm i -D @types\/some__plain/,
  },
  {
    what: "a package with types that do not name the function",
    path: "node_modules/typed/a.js",
    content: text,
    also: { "node_modules/typed/package.json": '{ "types": "a.d.ts" }' },
    expected: /pass a function of your own that calls it/,
  },
  {
    what: "a package whose types come apart",
    path: "node_modules/apart/a.js",
    content: text,
    also: { "node_modules/@types/apart/package.json": "{}" },
    expected: /pass a function of your own that calls it/,
  },
])("the remedy for $what is its own", ({ path, content, also = {}, expected }) => {
  for (const [name, value] of Object.entries(also)) write(name, value);
  expect(remedyFor({ fn: add, text, script: write(path, content) })).toMatch(expected);
});

test.each([
  "function a(e,t){return e+t}",
  "(e,t)=>e+t",
  "async(e)=>e",
  "e=>e",
  "async function b(e){return e}",
])("%s is minified, wherever it stands", (minified) => {
  expect(remedyFor({ fn: add, text: minified, script: write("src/m.js", minified) })).toMatch(/is minified/);
});

test.each([
  "function add(a, b) { return a + b; }",
  "(a, b) => a + b",
  "function at(row, column) {}",
  "function p2(to) { return to; }",
  "(b) => b",
])("%s is not", (plain) => {
  expect(remedyFor({ fn: add, text: plain, script: write("src/p.js", plain) })).toMatch(/is JavaScript/);
});

test("a parameter without a type is named with its file and line, and what else the error says is left", () => {
  const script = write("src/untyped.js", text);
  const problem = { parameter: "first", message: "it has no type", file: script, line: 1, kind: "untyped" };
  const data = { function: "add", problems: [problem], hidden: true };
  const worded = withRemedy(new SchemaNotFoundError("first words", { data }), { fn: add, text, script });
  expect(worded.message).toMatch(
    /^The types of "add" are not known:\n {2}- parameter "first": it has no type \(.*untyped\.js:1\)\n.*@param \{string\} city; or, if a compiler has written it, run "skein attach .*src" after the compiler\.$/,
  );
  const remedy = worded.message.split("\n").at(-1);
  expect(worded.data).toEqual({ ...data, problems: [{ ...problem, remedy }] });
});

test.each([
  [
    ["arguments"],
    /^In .*src\/rest\.js, take what it reads of arguments as a rest parameter: \(\.\.\.values\), with @param/,
  ],
  [
    ["first", "arguments"],
    /@param \{string\} city; .*; and take what it reads of arguments as a rest parameter/,
  ],
])("the remedy for %s of a function that reads arguments is a rest parameter", (parameters, expected) => {
  const script = write("src/rest.js", text);
  const problems = parameters.map((parameter) => ({
    parameter,
    message: "it has no type",
    file: script,
    line: 1,
    kind: "untyped",
  }));
  const data = { function: "add", problems };
  const worded = withRemedy(new SchemaNotFoundError("first words", { data }), { fn: add, text, script });
  expect(worded.message.split("\n").at(-1)).toMatch(expected);
});

test("an error about types that are known is left as it is", () => {
  const problem = {
    parameter: "when",
    message: "a symbol is not JSON",
    file: "a.ts",
    line: 1,
    kind: "inexpressible",
  };
  const error = new SchemaNotFoundError("words", { data: { function: "add", problems: [problem] } });
  expect(withRemedy(error, { fn: add, text, script: "a.ts" })).toBe(error);
});

test("where Jest runs CommonJS, the error says how to run modules", () => {
  vi.stubEnv("JEST_WORKER_ID", "1");
  const error = Object.assign(new Error("require() of ES Module"), { code: "ERR_REQUIRE_ESM" });
  expect(failed(add, error).message).toMatch(/Jest runs this test as CommonJS.*--experimental-vm-modules/);
  vi.unstubAllEnvs();
});

test("an executable of Deno is named", () => {
  vi.stubGlobal("Deno", { build: { standalone: true } });
  const { message } = failed(add, new Error("no such file"));
  vi.unstubAllGlobals();
  expect(message).toMatch(/"deno compile" has no sources\. Run "skein attach DIR"/);
});

test("where TypeScript is not deployed, the remedy is that of the place", () => {
  const script = write("dist/deployed.js", text);
  const missing = Object.assign(new Error("Cannot find package 'typescript' imported from /app"), {
    code: "ERR_MODULE_NOT_FOUND",
  });
  const { message } = failed(add, missing, { fn: add, text, script });
  expect(message).toMatch(
    /TypeScript is not installed here\. .*run "skein attach .*dist" after the compiler/,
  );
  expect(failed(add, missing, { fn: add, text, script: "/app/a.ts" }).message).toMatch(
    /Install it, or build/,
  );
  const partial = new Error("Unable to resolve @typescript/typescript-linux-x64. Either your platform");
  expect(failed(add, partial, { fn: add, text, script }).message).toMatch(/TypeScript is not installed here/);
});

test("repeats any other reason that stops TypeScript", () => {
  expect(failed(add, new Error("the pipe is closed")).message).toMatch(
    /TypeScript failed \(the pipe is closed\)/,
  );
});

test("a bundle in which others have schemas was built with the plugin: the build did not see the function", () => {
  const bundle = `var __defProp = Object.defineProperty;\nvar key = Symbol.for("skein.schemas");\n${text}`;
  const place = { fn: add, text, script: write("bundle/built.js", bundle) };
  attach(() => "", "{}");
  expect(remedyFor(place)).toMatch(
    /^Schemas are attached to other functions of this program, so the build did not see this one/,
  );
  Reflect.deleteProperty(globalThis, Symbol.for("skein.built"));
  expect(remedyFor(place)).toMatch(/is a bundle: build it with Skein's plugin/);
});

import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { planLoading } from "./plan-loading.ts";

let root: string;
let count = 0;
beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "skein-plan-")));
});
afterAll(() => rm(root, { recursive: true }));

async function project(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = join(root, `${count++}`);
  for (const [name, text] of Object.entries({ "package.json": '{"type":"module"}', ...files })) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return folder;
}

test("what Node runs by itself needs nothing, however many files it is", async () => {
  const folder = await project({
    "a.ts":
      'import { b } from "./b.ts";\nimport rates from "./rates.json" with { type: "json" };\nexport const a: number = b(rates);',
    "b.ts":
      'import type { C } from "./c.ts";\nimport "./d.cjs";\nimport { readFile } from "node:fs";\nexport const b = (c: C) => readFile;',
    "c.ts": "export interface C { enum: string }\ndeclare enum Never { A }\n/** enum Size {} */",
    "d.cjs": 'const { e } = require("./e");\nexports.d = e;',
    "e.js": "export const e = 1;",
    "rates.json": "{}",
  });
  expect(planLoading(join(folder, "a.ts"))).toEqual({ isCommonJs: false });
});

test("what an imported file needs is found, with its line", async () => {
  const folder = await project({
    "a.ts": 'import { b } from "./b.ts";\nexport const a = b;',
    "b.ts": 'export const b = await import("./c.ts");',
    "c.ts": "\nexport enum Size { Small }",
  });
  expect(planLoading(join(folder, "a.ts")).need).toEqual({
    file: join(folder, "c.ts"),
    line: 2,
    what: "TypeScript that is more than types",
  });
});

test.each([
  ["./b", { "b.ts": "" }],
  ["./b.js", { "b.ts": "" }],
  ["./b", { "b/index.ts": "" }],
  ["./b.json", { "b.json": "{}" }],
  ["@lib/b", { "tsconfig.json": '{ "compilerOptions": { "paths": { "@lib/*": ["./*"] } } }' }],
  ["dist/deep", { "node_modules/dist/package.json": '{"type":"module"}', "node_modules/dist/deep.js": "" }],
])("an import of %j that Node does not find needs a loader", async (specifier, files) => {
  const folder = await project({ ...files, "a.ts": `import "node:fs";\nimport "${specifier}";` });
  expect(planLoading(join(folder, "a.ts")).need).toEqual({
    file: join(folder, "a.ts"),
    line: 2,
    what: `the import of "${specifier}"`,
  });
});

test("what no loader finds either is left for Node to say", async () => {
  const folder = await project({ "a.ts": 'import "./nowhere.ts";\nimport "nothing-of-that-name";' });
  expect(planLoading(join(folder, "a.ts")).need).toBeUndefined();
});

test("packages are not read, but workspaces behind links are", async () => {
  const folder = await project({
    "a.ts": 'import "built";\nimport "linked";',
    "node_modules/built/package.json": '{"type":"module","exports":"./index.js"}',
    "node_modules/built/index.js": "class A { @log b() {} }",
    "packages/linked/package.json": '{"type":"module","exports":{"import":"./index.ts"}}',
    "packages/linked/index.ts": "export namespace A { export const b = 1; }",
  });
  await symlink(join(folder, "packages/linked"), join(folder, "node_modules/linked"));
  expect(planLoading(join(folder, "a.ts")).need?.file).toBe(join(folder, "packages/linked/index.ts"));
});

test("CommonJS with import and export is written by TypeScript, and so is what it imports of that kind", async () => {
  const folder = await project({
    "package.json": '{"type":"commonjs"}',
    "a.ts": 'import { b } from "./b";\nimport { c } from "./c";\nexport const a = [b, c];',
    "b.ts": "export const b = __dirname;",
    "c.ts": "class C { constructor(readonly a: string) {} }\nmodule.exports = { c: C };",
  });
  expect(planLoading(join(folder, "a.ts"))).toMatchObject({
    isCommonJs: true,
    emitted: [join(folder, "a.ts"), join(folder, "b.ts")],
  });
});

test("a package without a type has modules where the syntax shows it, unless they use CommonJS globals", async () => {
  const folder = await project({
    "package.json": "{}",
    "a.ts": 'import { join } from "node:path";\nexport const a = join("b");',
    "b.ts": 'import { join } from "node:path";\nexport const b = join(__dirname, "b");',
    "c.js": 'exports.c = require("node:path");',
  });
  expect(planLoading(join(folder, "a.ts"))).toEqual({ isCommonJs: false });
  expect(planLoading(join(folder, "b.ts"))).toMatchObject({
    isCommonJs: true,
    emitted: [join(folder, "b.ts")],
  });
  expect(planLoading(join(folder, "c.js"))).toEqual({ isCommonJs: true });
});

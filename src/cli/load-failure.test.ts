import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loadFailure } from "./load-failure.ts";

let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "skein failure-")));
  await mkdir(join(folder, "node_modules"));
});
afterAll(() => rm(folder, { recursive: true }));

/** An error as Node throws it for a missing module. */
function notFound(message: string, code = "ERR_MODULE_NOT_FOUND"): Error {
  return Object.assign(new Error(message), { code });
}

test.each([
  ["Cannot find package 'zod' imported from /app/agent.ts", "zod"],
  ["Cannot find package '@acme/tools' imported from /app/agent.ts", "@acme/tools"],
  ["Cannot find module '@acme/tools/deep/x.js'\nRequire stack:\n- /app/agent.cjs", "@acme/tools"],
  ["Cannot find module 'lodash.get/x' imported from /app/agent.ts", "lodash.get"],
])("shows how to install the package missing in %j", async (message, name) => {
  expect(await loadFailure(notFound(message), "agent.ts")).toMatch(
    new RegExp(`\nIs it installed\\? Try: npm install ${name}$`),
  );
});

test.each([
  notFound("Cannot find module '/app/shop.ts' imported from /app/agent.ts"),
  notFound("Cannot find module './shop'", "MODULE_NOT_FOUND"),
  notFound("Cannot find module 'C:\\app\\shop.ts' imported from C:\\app\\agent.ts"),
  new Error("Cannot find package 'zod'"),
])("a file that is missing is not a package: %s", async (error) => {
  expect(await loadFailure(error, "agent.ts")).not.toContain("npm install");
});

test("a syntax error that Node has marked is shown with file, line and column", async () => {
  const error = new SyntaxError("Unexpected token");
  error.stack =
    "/app/agent.ts:7\nconst a = 1;\nconst b: string = {;\n                   ^^\n\nSyntaxError: Unexpected token";
  expect(await loadFailure(error, "agent.ts")).toBe(
    "SyntaxError: Unexpected token\n    at /app/agent.ts:7:20\nconst b: string = {;\n                   ^^",
  );
});

test("the place of a syntax error in plain JavaScript is found, too", async () => {
  const file = join(folder, "broken agent.mjs");
  await writeFile(file, "export const a = 1;\nconst b = {;\n");
  const error = new SyntaxError("Unexpected token ';'");
  error.stack = "SyntaxError: Unexpected token ';'\n    at compileSourceTextModule (node:internal/x:1:1)";
  expect(await loadFailure(error, file)).toBe(
    `SyntaxError: Unexpected token ';'\n    at ${file}:2:12\nconst b = {;\n           ^`,
  );
});

test("reports a syntax error of another file without a place", async () => {
  const file = join(folder, "whole.mjs");
  await writeFile(file, "export const a = 1;\n");
  const error = new SyntaxError("Unexpected token ';'");
  error.stack = "SyntaxError: Unexpected token ';'";
  expect(await loadFailure(error, file)).toBe("SyntaxError: Unexpected token ';'");
});

test("text that a running module cannot parse is shown with the module's own place, without Node's and the command's", async () => {
  const error = new SyntaxError("Unexpected token");
  error.stack = `SyntaxError: Unexpected token
    at JSON.parse (<anonymous>)
    at read (file:///app/agent.ts:3:9)
    at ModuleJob.run (node:internal/modules/esm/module_job:561:25)
    at async importModule (${new URL("load-module.ts", import.meta.url).href}:31:12)
    at async Command.parseAsync (file:///app/node_modules/commander/lib/command.js:1113:5)`;
  expect(await loadFailure(error, "agent.ts")).toBe(
    "SyntaxError: Unexpected token\n    at JSON.parse (<anonymous>)\n    at read (file:///app/agent.ts:3:9)",
  );
});

test.each([
  ["require", "a.ts", '{"type":"module"}', 'so this file is an ES module: write import { x } from "..."'],
  ["require", "a.ts", '{"type":"module"}', "or name the file .cts."],
  [
    "__dirname",
    "a.js",
    '{"type":"module"}',
    "import.meta.dirname instead of __dirname, or name the file .cjs.",
  ],
  ["module", "a.mts", "{}", "A .mts file is an ES module: write export instead of module.exports."],
  ["require", "a.ts", "{}", '"type": "module" in package.json'],
])(
  "%s in the ES module %s of a package %s is answered with what to write",
  async (name, file, manifest, remedy) => {
    await writeFile(join(folder, "package.json"), manifest);
    const error = new ReferenceError(`${name} is not defined in ES module scope`);
    expect(await loadFailure(error, join(folder, file))).toContain(remedy);
  },
);

test("await in CommonJS is answered with what to write, in an ES module it is not", async () => {
  await writeFile(join(folder, "package.json"), '{"type":"commonjs"}');
  const error = new SyntaxError("await is only valid in async functions and the top level bodies of modules");
  await writeFile(join(folder, "awaiting.js"), "await 1;\n");
  expect(await loadFailure(error, join(folder, "awaiting.js"))).toContain(
    "This file is CommonJS: move await",
  );
  expect(await loadFailure(error, join(folder, "awaiting.mjs"))).not.toContain("CommonJS");
});

test("a name of the program's own that is not defined has no remedy", async () => {
  expect(await loadFailure(new ReferenceError("shop is not defined"), join(folder, "a.ts"))).not.toContain(
    "write",
  );
});

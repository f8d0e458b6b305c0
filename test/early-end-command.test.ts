/** A file that ends the process ends no command with success. */
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { once } from "node:events";
import { text as readAll } from "node:stream/consumers";
import { newProject, skein, startSkein } from "./skein-command.ts";

let folder: string;
beforeAll(async () => {
  folder = await newProject();
  const files = {
    "exit.ts": "export const x = { a: 1 }; process.exit(0);",
    "common.cjs": "process.exit(0); exports.x = {};",
    "code.ts": "export const x = { a: 1 }; process.exit(7);",
    // More than a pipe holds.
    "many.ts": `export const nothing = 1;\n${Array.from({ length: 300 }, (_, index) => `/** ${"Reads it. ".repeat(30)} */\nexport function read${index}(id: string): string {\n  return id;\n}\n`).join("")}`,
    "endless.ts": "export const x = { a: 1 }; await new Promise(() => {});",
    "tool.ts":
      'import { tool } from "skein";\nexport const end = tool({ name: "end", input: { type: "object" }, execute: () => process.exit(0) });',
  };
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(folder, name), text)));
});
afterAll(() => rm(folder, { recursive: true }));

test.each([
  ["check", "exit.ts"],
  ["tools", "exit.ts"],
  ["tools", "--json", "exit.ts"],
  ["call", "exit.ts"],
  ["chat", "exit.ts"],
  ["eval", "exit.ts"],
  ["mcp", "exit.ts"],
  ["check", "common.cjs"],
  ["check", "code.ts"],
  ["check", "endless.ts"],
])("skein %s names the file that ends the process while it is loaded", async (...args) => {
  const { code, stdout, stderr } = await skein(args, folder);
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toContain(`skein: ${args.at(-1)} ended the process while it was loaded.`);
});

test("skein call fails where the tool ends the process", async () => {
  const { code, stderr } = await skein(["call", "tool.ts", "end", "{}"], folder);
  expect(code).toBe(1);
  expect(stderr).toContain("skein: A loaded file ended the process before the command was done.");
});

test.each([
  ["tools", "many.ts"],
  ["tools", "--json", "many.ts"],
  ["check", "many.ts"],
  ["call", "many.ts", "read1", '{"id": "x"}'],
])("skein %s ends quietly where its reader has left", async (...args) => {
  const child = startSkein(args, folder);
  child.stdout?.destroy();
  const ended = once(child, "exit");
  expect(child.stderr && (await readAll(child.stderr))).toBe("");
  expect(await ended).toEqual([0, null]);
});

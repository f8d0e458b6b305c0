import { utimes } from "node:fs/promises";
import { afterEach, expect, test } from "vitest";
import { madeUpProgram, type MadeUpProgram } from "../compiler/test-use-sites.ts";
import { createReach } from "./reach.ts";

let program: MadeUpProgram | undefined;

afterEach(() => program?.remove());

async function reached(file: string, files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  program = await madeUpProgram(files);
  const { folder } = program;
  return createReach()
    .from(program.path(file), files[file] ?? "")
    .map((path) => path.slice(folder.length + 1));
}

test.each([
  ['import { Agent } from "skein";'],
  ["import type { Model } from 'skein/testing'"],
  ['const { Agent } = await import("skein");'],
  ['const { Agent } = require("skein");'],
  ['export * from "skein";'],
  ['import { Agent } from "@/agents";'],
  ['import { Agent } from "#agents";'],
  ['import { team } from "wraps";'],
  ['import { team } from "@scope/wraps/deep";'],
])("a file with %s can use tools", async (text) => {
  const wraps = '{ "dependencies": { "skein": "1" } }';
  const files = {
    "node_modules/wraps/package.json": wraps,
    "node_modules/@scope/wraps/package.json": wraps,
    "a.ts": text,
  };
  expect(await reached("a.ts", files)).toEqual(["a.ts"]);
});

test.each([
  ["const skein = 1;"],
  ['import fs from "node:fs"; import path from "path";'],
  ['import { x } from "other";'],
  ['import { x } from "./plain.ts"; import "./style.css"; import "./gone.ts";'],
])("a file with %s cannot", async (text) => {
  const files = {
    "node_modules/other/package.json": '{ "name": "other" }',
    "plain.ts": 'import "./a.ts"; export const x = "skein";',
    "style.css": "",
    "a.ts": text,
  };
  expect(await reached("a.ts", files)).toEqual([]);
});

test("a file that imports one that can, can, however it names it; the others that can come with it", async () => {
  const files = {
    "a.ts": 'import "./b.js"; import "./lib"; import "./plain.mjs"; import "./c";',
    "b.ts": 'import { x } from "./deep/d.jsx";',
    "c.mts": 'import "skein";',
    "lib/index.ts": 'export * from "skein";',
    "deep/d.tsx": 'import "../a.ts"; import "skein/offline";',
    "plain.mts": "export const nothing = 1;",
  };
  const [first, ...others] = await reached("a.ts", files);
  expect(first).toBe("a.ts");
  expect(others.sort()).toEqual(["b.ts", "c.mts", "deep/d.tsx", "lib/index.ts"]);
});

test("a file is read again once it is forgotten", async () => {
  const made = await madeUpProgram({ "a.ts": 'import "./b.ts";', "b.ts": "" });
  program = made;
  const reach = createReach();
  expect(reach.from(made.path("a.ts"), 'import "./b.ts";')).toEqual([]);
  await made.write({ "b.ts": 'import "skein";' });
  expect(reach.from(made.path("a.ts"), 'import "./b.ts";')).toEqual([]);
  reach.forget([made.path("b.ts")]);
  expect(reach.from(made.path("a.ts"), 'import "./b.ts";')).toHaveLength(2);
});

test("what has changed on disk, and what is there that was missing, is read again when asked for", async () => {
  program = await madeUpProgram({ "a.ts": 'import "./b.ts";\nimport "./c.ts";', "b.ts": "" });
  const reach = createReach();
  const from = (): number =>
    reach.from(program?.path("a.ts") ?? "", 'import "./b.ts";\nimport "./c.ts";').length;
  expect(from()).toBe(0);
  expect(reach.refresh()).toEqual({ files: [], hasNew: false });

  await program.write({ "b.ts": 'import "skein";' });
  await utimes(program.path("b.ts"), 1, 1);
  expect(reach.refresh()).toEqual({ files: [program.path("b.ts")], hasNew: false });
  expect(from()).toBe(2);

  await program.write({ "b.ts": "", "c.ts": 'import "skein";' });
  await utimes(program.path("b.ts"), 2, 2);
  expect(reach.refresh()).toEqual({ files: [program.path("b.ts")], hasNew: true });
  expect(from()).toBe(2);
  expect(reach.refresh()).toEqual({ files: [], hasNew: false });
});

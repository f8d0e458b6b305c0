/** The whole table in processes of its own, described as they run: on every runtime, with the same schemas to the letter. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { installRuntimes } from "../consumer.ts";
import { isWhole } from "../effort.ts";
import type { TableOutcome } from "./run-table.ts";
import { developed, themes } from "./table/index.ts";

const execute = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
const program = fileURLToPath(new URL("print-table.ts", import.meta.url));
const fromSource = ["--import", "./test/from-source.ts"];
const rowCount = [...themes, ...developed].reduce((count, { rows }) => count + rows.length, 0);

/** How each runtime is started, and what it is called with. */
const ways = [
  { way: "Node 22", runtime: "Node 22", options: fromSource },
  { way: "Node 24", runtime: "Node 24", options: fromSource },
  { way: "Node 26", runtime: "Node 26", options: fromSource },
  ...(isWhole ? [{ way: "tsx", runtime: "Node 24", options: ["--import", "tsx", ...fromSource] }] : []),
  { way: "Deno", runtime: "Deno", options: ["--config", "test/functions/deno.json"] },
];

let runtimes: Readonly<Record<string, readonly string[]>>;
const schemas = new Map<string, string>();

beforeAll(async () => {
  runtimes = await installRuntimes();
}, 240_000);

async function runOn(
  runtime: string,
  options: readonly string[],
  cache: "on" | "off",
): Promise<TableOutcome> {
  const [command = "", ...args] = runtimes[runtime] ?? [];
  const { PATH = "", HOME = "" } = process.env;
  const { stdout } = await execute(command, [...args, ...options, program], {
    cwd: root,
    env: { PATH, HOME, NO_COLOR: "1", SKEIN_CACHE: cache },
    maxBuffer: 64_000_000,
  });
  return JSON.parse(stdout);
}

test.each(ways)("every row holds with $way", { timeout: 400_000 }, async ({ way, runtime, options }) => {
  const outcome = await runOn(runtime, options, "off");
  schemas.set(way, JSON.stringify(outcome.schemas, undefined, 1));
  expect(outcome.failures).toEqual([]);
  expect(outcome.passed).toBe(rowCount);
});

test("every row holds when its schema comes from the cache", { timeout: 400_000 }, async () => {
  await runOn("Node 24", fromSource, "on");
  const outcome = await runOn("Node 24", fromSource, "on");
  schemas.set("the cache", JSON.stringify(outcome.schemas, undefined, 1));
  expect(outcome.failures).toEqual([]);
  expect(outcome.passed).toBe(rowCount);
});

test("the schemas are the same, to the letter, everywhere", () => {
  expect([...schemas.keys()].toSorted()).toEqual([...ways.map(({ way }) => way), "the cache"].toSorted());
  for (const [way, text] of schemas) expect(text, way).toBe(schemas.get("Node 24"));
});

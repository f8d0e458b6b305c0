/** The table, built by every bundler as docs/production.md says, and loaded with `skein/register`: it does what it does in development. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { bun, bundlers, configuration, installBundlers, makeProject, run } from "../bundlers/projects.ts";
import type { TableOutcome } from "./run-table.ts";
import { themes } from "./table/index.ts";

const folder = fileURLToPath(new URL(".", import.meta.url));
const rowCount = themes.reduce((count, { rows }) => count + rows.length, 0);
const main = `
  import { runTable } from "./run-table.ts";
  console.log(JSON.stringify(await runTable({ isBuilt: true })));
`;

let sources: Readonly<Record<string, string>>;
let development: TableOutcome;

beforeAll(async () => {
  await installBundlers();
  sources = await readSources();
  development = await outcomeOf([process.execPath, "src/main.ts"], await makeProject("table", sources));
}, 240_000);

/** The table and what runs it, as files of a project. */
async function readSources(): Promise<Readonly<Record<string, string>>> {
  const names = (await readdir(folder, { recursive: true })).filter(
    (name) => /\.[jt]s$/.test(name) && !name.endsWith(".test.ts"),
  );
  // Without allowJs, TypeScript takes what a JavaScript file exports for anything.
  const tsconfig =
    '{ "extends": "../../tsconfig.json", "compilerOptions": { "allowJs": true }, "include": ["src"] }';
  const entries = names.map(
    async (name) => [`src/${name}`, await readFile(join(folder, name), "utf8")] as const,
  );
  return {
    ...Object.fromEntries(await Promise.all(entries)),
    "src/main.ts": main,
    "tsconfig.json": tsconfig,
  };
}

async function outcomeOf(command: readonly string[], project: string): Promise<TableOutcome> {
  const { exitCode, stdout, stderr } = await run(command, project);
  expect(exitCode, stderr).toBe(0);
  return JSON.parse(stdout);
}

function expectAll(outcome: TableOutcome): void {
  expect(outcome.failures).toEqual([]);
  expect(outcome.passed).toBe(rowCount);
  expect(JSON.stringify(outcome.schemas)).toBe(JSON.stringify(development.schemas));
}

test("every row holds in a project of its own", () => {
  expect(development.failures).toEqual([]);
  expect(development.passed).toBe(rowCount);
});

test("every row holds with skein/register", { timeout: 120_000 }, async () => {
  const project = await makeProject("table-register", sources);
  expectAll(await outcomeOf([process.execPath, "--import", "skein/register", "src/main.ts"], project));
});

describe.concurrent.each(bundlers)("built by $heading", ({ heading, command }) => {
  test("every row holds", { timeout: 120_000 }, async () => {
    const name = `table-${heading.toLowerCase()}`;
    const project = await makeProject(name, { ...sources, ...(await configuration(heading)) });
    const built = await run(command, project);
    expect(built.exitCode, built.stdout + built.stderr).toBe(0);
    for (const unseen of ["dynamic-functions.ts", "diagnostics.ts"])
      expect(built.stdout + built.stderr).toContain(unseen);
    const runtime = heading === "Bun" ? bun : process.execPath;
    expectAll(await outcomeOf([runtime, "dist/main.js"], project));
  });
});

/** The table, built by every bundler as docs/production.md says, and loaded with `skein/register`: it does what it does in development. */
import { beforeAll, describe, expect, test } from "vitest";
import { bun, bundlers, configuration, installBundlers, makeProject, run } from "../bundlers/projects.ts";
import type { TableOutcome } from "./run-table.ts";
import { readTableFiles, rowCount } from "./table-files.ts";

// Without allowJs, TypeScript takes what a JavaScript file exports for anything.
const tsconfig =
  '{ "extends": "../../tsconfig.json", "compilerOptions": { "allowJs": true }, "include": ["src"] }';

let sources: Readonly<Record<string, string>>;
let development: TableOutcome;

beforeAll(async () => {
  await installBundlers();
  sources = { ...(await readTableFiles()), "tsconfig.json": tsconfig };
  development = await outcomeOf([process.execPath, "src/main.ts"], await makeProject("table", sources));
}, 240_000);

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

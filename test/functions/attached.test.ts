/** The table, compiled by `tsc` and given its schemas by `skein attach`: it does what it does in development. */
import { rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { makeProject, run } from "../bundlers/projects.ts";
import type { TableOutcome } from "./run-table.ts";
import { readTableFiles, rowCount } from "./table-files.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const tsconfig = {
  extends: "../../tsconfig.json",
  compilerOptions: {
    allowJs: true,
    noEmit: false,
    noCheck: true,
    sourceMap: true,
    rewriteRelativeImportExtensions: true,
    rootDir: "src",
    outDir: "dist",
  },
  include: ["src"],
};

/** What a build cannot describe is not part of it: it would refuse all of it. */
const refused = ["diagnostics", "dynamic-functions", "inexpressible-parts", "refused-wrappers"];

/** The table and what runs it, as files of a project. */
async function readSources(): Promise<Readonly<Record<string, string>>> {
  const files = await readTableFiles((name) => !refused.includes(basename(name, ".ts")));
  const index = files["src/table/index.ts"] ?? "";
  const imports = new RegExp(`^import .* from "\\./(?:${refused.join("|")})\\.ts";\n`, "gm");
  return {
    ...files,
    "src/table/index.ts": index.replaceAll(imports, "").replace(/(developed: .* = )\[[^\]]*\]/, "$1[]"),
    "tsconfig.json": JSON.stringify(tsconfig),
  };
}

async function succeed(command: readonly string[], project: string): Promise<string> {
  const { exitCode, stdout, stderr } = await run(command, project);
  expect(exitCode, stdout + stderr).toBe(0);
  return stdout;
}

test(
  "every row holds once tsc has compiled it and its schemas are attached",
  { timeout: 240_000 },
  async () => {
    const project = await makeProject("table-attached", await readSources());
    const development: TableOutcome = JSON.parse(await succeed([process.execPath, "src/main.ts"], project));
    const compiled = await run([join(root, "node_modules/.bin/tsc"), "-p", "."], project);
    expect(compiled.stdout + compiled.stderr).toBe("");
    const attached = await run([process.execPath, join(root, "dist/cli/bin.js"), "attach", "dist"], project);
    expect(attached.exitCode, attached.stderr).toBe(0);
    await rm(join(project, "src"), { recursive: true });
    const outcome: TableOutcome = JSON.parse(await succeed([process.execPath, "dist/main.js"], project));
    expect(outcome.failures).toEqual([]);
    expect(outcome.passed).toBe(rowCount);
    for (const [name, schema] of Object.entries(development.schemas)) {
      expect(JSON.stringify(outcome.schemas[name]), name).toBe(JSON.stringify(schema));
    }
  },
);

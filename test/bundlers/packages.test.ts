/** Bundles and the packages that only some programs need: absent ones do not break the build, installed ones are in its output. */
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import {
  bun,
  bundlers,
  configuration,
  installBundlers,
  makeBareProject,
  makeProject,
  run,
} from "./projects.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const program = fileURLToPath(new URL("packages-app/main.ts", import.meta.url));

/** Entries of which a program's bundle has nothing: they belong to builds, or are imported where vitest is. */
const outside = new Set([
  "./plugin",
  "./next",
  "./next-loader",
  "./register",
  "./compiler",
  "./evals/vitest",
  "./package.json",
]);

beforeAll(installBundlers, 240_000);

/** A program that imports all of an application's entries. */
async function importAll(): Promise<{ readonly text: string; readonly count: number }> {
  const manifest: { readonly exports: Readonly<Record<string, unknown>> } = JSON.parse(
    await readFile(join(root, "package.json"), "utf8"),
  );
  const names = Object.keys(manifest.exports).filter((name) => !outside.has(name));
  const imports = names.map((name, at) => `import * as e${at} from "${name.replace(".", "skein")}";\n`);
  const list = names.map((_, at) => `e${at}`).join(", ");
  return {
    count: names.length,
    text: `${imports.join("")}console.log([${list}].filter((entry) => Object.keys(entry).length > 0).length);\n`,
  };
}

type Bundler = (typeof bundlers)[number];

/** Builds, and runs the output in a folder that has nothing else. */
async function buildAndRun({ heading, command }: Bundler, project: string): Promise<string> {
  // Bun would install what a program lacks.
  const runtime = heading === "Bun" ? [bun, "--no-install"] : [process.execPath];
  const built = await run(command, project);
  expect(built.exitCode, built.stdout + built.stderr).toBe(0);
  const alone = await mkdtemp(join(tmpdir(), "skein-alone-"));
  await cp(join(project, "dist"), alone, { recursive: true });
  await cp(join(project, "package.json"), join(alone, "package.json"));
  const { exitCode, stdout, stderr } = await run([...runtime, "main.js"], alone);
  expect(exitCode, stderr).toBe(0);
  await rm(alone, { recursive: true });
  return stdout;
}

describe.each(bundlers)("built by $heading", { timeout: 240_000 }, (bundler) => {
  const { heading } = bundler;

  test("a program of all entries needs no optional package", async () => {
    const { text, count } = await importAll();
    const project = await makeBareProject(text, await configuration(heading));
    expect(await buildAndRun(bundler, project)).toBe(`${count}\n`);
    await rm(project, { recursive: true });
  });

  test("without them, a use of one names what to install", async () => {
    const files = await configuration(heading);
    const project = await makeBareProject(await readFile(program, "utf8"), files);
    expect(JSON.parse(await buildAndRun(bundler, project))).toEqual({
      listServed: "missing-package",
      listProgram: "missing-package",
      listDocument: "missing-package",
      countServices: "missing-package",
    });
    await rm(project, { recursive: true });
  });
});

// Rollup reads packages written as CommonJS by a plugin only.
const complete = bundlers.filter(({ heading }) => heading !== "Rollup");

describe.each(complete)("built by $heading", { timeout: 240_000 }, (bundler) => {
  test("packages that are installed are in the output", async () => {
    const name = `packages-${bundler.heading.toLowerCase()}`;
    const files = {
      "src/main.ts": await readFile(program, "utf8"),
      ...(await configuration(bundler.heading)),
    };
    expect(JSON.parse(await buildAndRun(bundler, await makeProject(name, files)))).toEqual({
      listServed: ["add"],
      listProgram: ["add"],
      listDocument: ["a"],
      readCard: "A",
      countServices: 2,
    });
  });
});

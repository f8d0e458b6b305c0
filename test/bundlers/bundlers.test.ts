/** The sample application, built by every bundler as docs/production.md says, works as it does in development. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { expectAlike } from "./expected.ts";
import {
  bun,
  bundlers,
  configuration,
  installBundlers,
  makeProject,
  results,
  run,
  type Results,
} from "./projects.ts";

let development: Results;

beforeAll(async () => {
  await installBundlers();
  development = await results([process.execPath, "src/main.ts"], await makeProject("development"));
}, 240_000);

describe.each(bundlers)("built by $heading", ({ heading, command }) => {
  let project: string;

  beforeAll(async () => {
    project = await makeProject(heading.toLowerCase(), await configuration(heading));
    const { exitCode, stdout, stderr } = await run(command, project);
    expect(exitCode, stdout + stderr).toBe(0);
    expect(stdout + stderr).not.toContain("no schema can be attached");
  }, 120_000);

  test("every tool has the schema that it has in development", async () => {
    const runtime = heading === "Bun" ? bun : process.execPath;
    expectAlike(await results([runtime, "dist/main.js"], project), development);
  });

  test("the bundle holds neither TypeScript nor the inspector", async () => {
    const dist = join(project, "dist");
    const files = (await readdir(dist, { recursive: true })).filter((file) => file.endsWith(".js"));
    const texts = await Promise.all(files.map((file) => readFile(join(dist, file), "utf8")));
    const bundle = texts.join("\n");
    expect(bundle).toContain("No schema is found for");
    expect(bundle).not.toMatch(/node:inspector|FunctionLocation|typescript\/unstable|\btsgo\b/);
  });
});

/** The sample application, built by every bundler as docs/production.md says, works as it does in development. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
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

test("the plugin is of the type that each bundler takes", async () => {
  const project = await makeProject("types", {
    "src/types.ts": `
      import type { Configuration as RspackConfiguration } from "@rspack/core";
      import type { BuildOptions } from "esbuild";
      import type { RolldownOptions } from "rolldown";
      import type { RollupOptions } from "rollup";
      import { skein } from "skein/plugin";
      import { defineConfig } from "vite";
      import type { Configuration as WebpackConfiguration } from "webpack";

      export const vite = defineConfig({ plugins: [skein.vite()] });
      export const rollup: RollupOptions = { plugins: [skein.rollup({ strict: true })] };
      export const rolldown: RolldownOptions = { plugins: [skein.rolldown()] };
      export const webpack: WebpackConfiguration = { plugins: [skein.webpack()] };
      export const rspack: RspackConfiguration = { plugins: [skein.rspack()] };
      export const esbuild: BuildOptions = { plugins: [skein.esbuild()] };
      // @ts-expect-error -- a plugin of one bundler is none of another
      export const mistaken: WebpackConfiguration = { plugins: [skein.vite()] };
    `,
  });
  const tsc = fileURLToPath(new URL("../../node_modules/typescript/bin/tsc", import.meta.url));
  const options = ["-p", project, "--skipLibCheck", "--types", "node", "--exactOptionalPropertyTypes"];
  const { stdout, exitCode } = await run([process.execPath, tsc, ...options], project);
  expect(stdout).toBe("");
  expect(exitCode).toBe(0);
});

/** The sample application, built by every bundler as docs/production.md says, works as it does in development. */
import { readdir, readFile } from "node:fs/promises";
import { SourceMap, type SourceMapPayload } from "node:module";
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

/** Those whose configuration on the page asks for a source map. */
test.each(["Rollup", "Rolldown", "esbuild", "Bun"])(
  "the source map of %s leads to the source",
  async (heading) => {
    const project = await makeProject(`${heading.toLowerCase()}-map`, await configuration(heading));
    const command = bundlers.find((bundler) => bundler.heading === heading)?.command ?? [];
    expect(await run(command, project)).toMatchObject({ exitCode: 0 });
    const places = await Promise.all(
      ["dist/main.js", "src/main.ts"].map(async (file) =>
        placeOf(await readFile(join(project, file), "utf8")),
      ),
    );
    const [built, source] = places;
    const payload: SourceMapPayload = JSON.parse(await readFile(join(project, "dist/main.js.map"), "utf8"));
    const entry = new SourceMap(payload).findEntry(built?.line ?? -1, built?.column ?? -1);
    expect(entry).toMatchObject({
      originalSource: expect.stringMatching(/src\/main\.ts$/),
      originalLine: source?.line,
    });
  },
);

/** Where the sample application says a text that it says only once, on a line with a tool. */
function placeOf(text: string): { readonly line: number; readonly column: number } {
  const before = text.slice(0, text.indexOf("Spread config")).split("\n");
  return { line: before.length - 1, column: before.at(-1)?.length ?? 0 };
}

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

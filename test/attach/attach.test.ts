/** `skein attach` on what real compilers emit: each program says of its tools what the build plugin attaches to them. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { run } from "../bundlers/projects.ts";
import { compilations, minified, tsc, type Compilation } from "./compilers.ts";
import { attach, installCompilers, makeProject, runAlone, writeAll } from "./projects.ts";

let expected: unknown;

beforeAll(async () => {
  await installCompilers();
  const project = await makeProject("plugin", "module", {
    "build.js": `
      import { build } from "esbuild";
      import { skein } from "skein/plugin";
      await build({
        entryPoints: ["src/main.ts"], outdir: "dist", bundle: true, format: "esm", platform: "node", target: "es2022",
        plugins: [skein.esbuild({ strict: true })],
      });
    `,
  });
  const { exitCode, stderr } = await run([process.execPath, "build.js"], project);
  expect(exitCode, stderr).toBe(0);
  expected = await runAlone(project);
}, 300_000);

test("the sample application has tools of every kind", () => {
  expect(JSON.stringify(expected)).toContain('"description":"Greet somebody."');
  expect(Object.keys(Object(expected)).length).toBeGreaterThan(20);
});

/** Compiles the sample application. */
async function compile({ name, type, command, files }: Compilation): Promise<string> {
  const project = await makeProject(name, type, files);
  const { exitCode, stdout, stderr } = await run(command, project);
  expect(exitCode, stdout + stderr).toBe(0);
  return project;
}

const whole = compilations.filter(({ missing }) => missing.length === 0);
const rewritten = compilations.filter(({ missing }) => missing.length > 0);

test.each(whole)("$name: the plugin's schemas", async (compilation) => {
  const project = await compile(compilation);
  const { exitCode, stdout, stderr } = await attach(project, "dist");
  expect(exitCode, stderr).toBe(0);
  expect(stdout).toMatch(
    /^dist\/main\.js: \d+ tool expressions\ndist\/team\.js: \d+ tool expressions\nSchemas are/,
  );
  expect(await runAlone(project)).toEqual(expected);
  expect((await attach(project, "dist")).stdout).toBe("dist is unchanged.\n");
});

test.each(rewritten)("$name: what has become something else is named", async (compilation) => {
  const project = await compile(compilation);
  const emitted = await readFile(join(project, "dist/main.js"), "utf8");
  const { exitCode, stderr } = await attach(project, "dist");
  expect(exitCode).toBe(1);
  const named = [
    ...stderr.matchAll(/^error: src\/\w+\.ts:\d+: (.*?) is not found in dist\/\w+\.js\. Emit/gm),
  ];
  const starts = named.map(([, expression = ""]) =>
    compilation.missing.find((start) => expression.startsWith(start)),
  );
  expect(new Set(starts)).toEqual(new Set(compilation.missing));
  expect(await readFile(join(project, "dist/main.js"), "utf8")).toBe(emitted);
});

test("files that were written again have the same schemas", async () => {
  const compilation = compilations.find(({ name }) => name === "esbuild, minified");
  const project = await makeProject("again", "module");
  const build = async (): Promise<string> => {
    await run(compilation?.command ?? [], project);
    expect((await attach(project, "dist")).exitCode).toBe(0);
    const maps = await readFile(join(project, "dist/main.js.map"), "utf8");
    return maps + (await readFile(join(project, "dist/main.js"), "utf8"));
  };
  expect(await build()).toBe(await build());
});

test("one name for two functions: each has its own schema", async () => {
  const project = await makeProject("one-name", "commonjs", {
    "src/main.ts": [
      'import { schemaOf } from "skein";',
      'import { comparePlaces, greet as add } from "./tools.js";',
      "function inner() {",
      "  const add = (a: number): number => a;",
      "  return schemaOf(add);",
      "}",
      "void Promise.all([schemaOf(add), inner(), schemaOf(comparePlaces)]).then((all) =>",
      "  console.log(JSON.stringify(all.map(({ inputSchema }) => inputSchema.required))),",
      ");",
    ].join("\n"),
  });
  expect((await run([...tsc, "--sourceMap"], project)).exitCode).toBe(0);
  const { exitCode, stderr } = await attach(project, "dist");
  expect(exitCode, stderr).toBe(0);
  expect(await runAlone(project)).toEqual([["greeting"], ["a"], ["places"]]);
});

test("a minified file without a source map is refused", async () => {
  const project = await makeProject("minified", "module");
  await run(minified.command, project);
  const { exitCode, stderr } = await attach(project, "dist");
  expect(stderr).toContain("The file is minified. Emit source maps");
  expect(exitCode).toBe(1);
});

test("tsc --incremental writes only what has changed, and all schemas are right", async () => {
  const project = await makeProject("incremental", "module");
  const build = [...tsc, "--incremental", "--sourceMap"];
  expect((await run(build, project)).exitCode).toBe(0);
  await attach(project, "dist");
  const main = await readFile(join(project, "src/main.ts"), "utf8");
  await writeAll(project, { "src/main.ts": main.replace("Shout a text.", "Shout one text.") });
  const team = await readFile(join(project, "dist/team.js"), "utf8");
  expect((await run(build, project)).exitCode).toBe(0);
  expect(await readFile(join(project, "dist/team.js"), "utf8")).toBe(team);
  const { exitCode, stderr } = await attach(project, "dist");
  expect(exitCode, stderr).toBe(0);
  const changed: unknown = JSON.parse(JSON.stringify(expected).replaceAll("Shout a", "Shout one"));
  expect(await runAlone(project)).toEqual(changed);
});

test("project references, each with a folder of its own, .mts and .cts", async () => {
  const options = {
    composite: true,
    module: "nodenext",
    target: "es2022",
    strict: true,
    types: [],
    skipLibCheck: true,
  };
  const config = (extra: object, references: readonly string[] = []): string =>
    JSON.stringify({
      compilerOptions: { ...options, rootDir: "src", outDir: "dist", lib: ["es2023", "dom"] },
      include: ["src"],
      references: references.map((path) => ({ path })),
      ...extra,
    });
  const project = await makeProject("references", "module", {
    "tsconfig.json": JSON.stringify({
      files: [],
      references: [{ path: "packages/tools" }, { path: "packages/app" }],
    }),
    "packages/tools/tsconfig.json": config({}),
    "packages/tools/src/tools.mts":
      "/** Look. */\nexport function look(place: string, days = 2): string { return place + days; }\n",
    "packages/tools/src/old.cts": [
      'import { tool } from "skein";',
      'import type { ToolContext } from "skein";',
      "/** Greet. */",
      "const greet = (greeting: string, context: ToolContext<{ user: string }>): string => greeting + context.context.user;",
      'export const greeting = tool(greet, { name: "greeting" });',
    ].join("\n"),
    "packages/app/tsconfig.json": config({}, ["../tools"]),
    "packages/app/src/main.mts": [
      'import { schemaOf } from "skein";',
      'import old from "../../tools/dist/old.cjs";',
      'import { look } from "../../tools/dist/tools.mjs";',
      "console.log(JSON.stringify([(await schemaOf(look)).inputSchema, (await schemaOf(old.greeting)).inputSchema]));",
    ].join("\n"),
  });
  const built = await run([...tsc, "-b"], project);
  expect(built.exitCode, built.stdout).toBe(0);
  const { exitCode, stdout, stderr } = await attach(project, "packages/tools/dist", "packages/app/dist");
  expect(exitCode, stderr).toBe(0);
  expect(stdout).toContain("packages/tools/dist/old.cjs: 1 tool expression\n");
  expect(stdout).toContain("packages/app/dist/main.mjs: 1 tool expression\n");
  const printed = await run([process.execPath, "packages/app/dist/main.mjs"], project);
  expect(JSON.parse(printed.stdout)).toMatchObject([
    { properties: { place: { type: "string" }, days: { type: "number" } }, required: ["place"] },
    { properties: { greeting: { type: "string" } }, required: ["greeting"] },
  ]);
  expect(printed.stdout).not.toContain("context");
});

import { execFileSync } from "node:child_process";
import { build, context, type BuildOptions, type BuildResult, type Plugin } from "esbuild";
import { afterEach, beforeEach, expect, test } from "vitest";
import { madeUpProgram, type MadeUpProgram } from "../compiler/test-use-sites.ts";
import { skein, type SkeinPluginOptions } from "./index.ts";

let program: MadeUpProgram;

beforeEach(async () => {
  program = await madeUpProgram({
    "tools.ts": "/** Add. */\nexport const add = (a: number, b: number) => a + b;\n",
    "app.ts": 'import { schemaOf } from "skein";\nimport { add } from "./tools.ts";\nschemaOf(add);\n',
    "unseen.ts":
      'import { schemaOf } from "skein";\nimport { add } from "./tools.ts";\n\nfor (const fn of [add]) schemaOf(fn);\n',
    "plain.ts": 'import { add } from "./tools.ts";\nconsole.log(add(1, 2));\n',
  });
});

afterEach(() => program.remove());

function options(
  entry: string,
  pluginOptions?: SkeinPluginOptions,
): BuildOptions & { readonly write: false } {
  const plugin: Plugin = skein.esbuild(pluginOptions);
  return {
    entryPoints: [program.path(entry)],
    bundle: true,
    format: "esm",
    external: ["skein", "skein/*"],
    write: false,
    logLevel: "silent",
    plugins: [plugin],
  };
}

function textOf({ outputFiles = [] }: BuildResult): string {
  return outputFiles.map(({ text }) => text).join("\n");
}

/** The processes of TypeScript that this one has started. */
function compilers(): number {
  const processes = execFileSync("ps", ["-A", "-o", "ppid=,args="], { encoding: "utf8" });
  return processes
    .split("\n")
    .filter((line) => line.trim().startsWith(`${process.pid} `) && line.includes("--api")).length;
}

test("schemas are attached, and TypeScript's process ends with the build", async () => {
  const result = await build(options("app.ts"));
  expect(textOf(result)).toContain('"description":"Add."');
  expect(textOf(result)).toContain('from "skein/attach"');
  expect(result.warnings).toEqual([]);
  await expect.poll(compilers).toBe(0);
});

test("a program without tools starts no TypeScript", async () => {
  const building = await context(options("plain.ts"));
  await building.rebuild();
  expect(compilers()).toBe(0);
  await building.dispose();
});

test("warns about invisible tools with file and line", async () => {
  const { warnings } = await build(options("unseen.ts"));
  expect(warnings.map(({ text }) => text)).toEqual([
    expect.stringMatching(/unseen\.ts:4: no schema can be attached to fn: /),
  ]);
});

test("fails on invisible tools, if configured", async () => {
  await expect(build(options("unseen.ts", { strict: true }))).rejects.toThrow(
    /unseen\.ts:4: no schema can be attached/,
  );
});

test("a second build sees what has changed in between, in a file that the first did not build again", async () => {
  const building = await context(options("app.ts"));
  try {
    expect(textOf(await building.rebuild())).toContain('"a":{');
    expect(compilers()).toBe(1);
    await program.write({ "tools.ts": "/** Add. */\nexport const add = (first: number) => first;\n" });
    expect(textOf(await building.rebuild())).toContain('"first":{');
    await program.write({
      "more.ts": "/** More. */\nexport const more = (text: string) => text;\n",
      "app.ts": 'import { schemaOf } from "skein";\nimport { more } from "./more.ts";\nschemaOf(more);\n',
    });
    expect(textOf(await building.rebuild())).toContain('"description":"More."');
  } finally {
    await building.dispose();
  }
  await expect.poll(compilers).toBe(0);
});

test("a build goes on where TypeScript's process was ended", async () => {
  const building = await context(options("app.ts"));
  try {
    await building.rebuild();
    const lines = execFileSync("ps", ["-A", "-o", "ppid=,pid=,args="], { encoding: "utf8" }).split("\n");
    const line = lines.find((text) => text.trim().startsWith(`${process.pid} `) && text.includes("--api"));
    process.kill(Number(line?.trim().split(/\s+/)[1]), "SIGKILL");
    await expect.poll(compilers).toBe(0);
    await program.write({ "tools.ts": "/** Add. */\nexport const add = (first: number) => first;\n" });
    expect(textOf(await building.rebuild())).toContain('"first":{');
  } finally {
    await building.dispose();
  }
});

/** Development servers and watching bundlers: what is changed is seen, and only that is built again. */
import { beforeAll, describe, expect, test } from "vitest";
import { installBundlers, makeProject, run, type Finished } from "./projects.ts";

beforeAll(() => installBundlers(), 240_000);

/** A program that changes what a tool's file imports, and makes a new file, while something watches. */
const sources = {
  "src/types.ts": "export interface Place { city: string }\n",
  "src/tools.ts":
    'import type { Place } from "./types.ts";\n/** Look. */\nexport const look = (place: Place) => place.city;\n',
  "src/plain.ts": "export const plain = 1;\n",
  "src/watched.ts": [
    'import { schemaOf } from "skein";',
    'import "./plain.ts";',
    'import { look } from "./tools.ts";',
    "export const schema = await schemaOf(look);",
    "",
  ].join("\n"),
};

const edits = `
  import { writeFile } from "node:fs/promises";
  export const changeType = () => writeFile("src/types.ts", "export interface Place { town: string }\\n");
  export const addFile = async () => {
    await writeFile("src/more.ts", "/** More. */\\nexport const more = (text: string) => text;\\n");
    await writeFile("src/watched.ts", [
      'import { schemaOf } from "skein";',
      'import { more } from "./more.ts";',
      "export const schema = await schemaOf(more);",
    ].join("\\n"));
  };
`;

async function runProgram(
  name: string,
  program: string,
  files: Readonly<Record<string, string>>,
): Promise<Finished> {
  const project = await makeProject(name, { ...files, "watch.js": program });
  return run([process.execPath, "watch.js"], project);
}

async function runWatching(
  name: string,
  program: string,
  files: Readonly<Record<string, string>> = { ...sources, "edits.js": edits },
): Promise<unknown> {
  const { exitCode, stdout, stderr } = await runProgram(name, program, files);
  expect(exitCode, stderr).toBe(0);
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
}

describe("a type that changes, and a file that is new, are seen by", () => {
  test("Vite's development server", async () => {
    const program = `
      import { createServer } from "vite";
      import { skein } from "skein/plugin";
      import { addFile, changeType } from "./edits.js";

      const server = await createServer({
        appType: "custom",
        logLevel: "error",
        plugins: [skein.vite()],
        server: { middlewareMode: true, ws: false },
        ssr: { noExternal: true },
      });
      const told = (file) => new Promise((resolve) => server.watcher.on("all", (_event, path) => {
        if (path.endsWith(file)) setTimeout(resolve, 50);
      }));
      const seen = [];
      const look = async () => {
        const { schema } = await server.ssrLoadModule("/src/watched.ts");
        seen.push([schema.description, Object.keys(schema.inputSchema.properties.place?.properties ?? {})]);
      };
      await look();
      await Promise.all([told("types.ts"), changeType()]);
      await look();
      await Promise.all([told("watched.ts"), addFile()]);
      await look();
      await server.close();
      console.log(JSON.stringify(seen));
    `;
    expect(await runWatching("watch-vite", program)).toEqual([
      ["Look.", ["city"]],
      ["Look.", ["town"]],
      ["More.", []],
    ]);
  });

  test.each([
    ["rollup", ["watched.ts"]],
    // Rolldown transforms every file again, whatever has changed.
    ["rolldown", ["plain.ts", "tools.ts", "watched.ts"]],
  ])("%s, watching", async (bundler, again) => {
    const program = `
      import { readFile } from "node:fs/promises";
      import { stripTypeScriptTypes } from "node:module";
      import { watch } from "${bundler}";
      import { skein } from "skein/plugin";
      import { addFile, changeType } from "./edits.js";

      const transformed = [];
      const strip = {
        name: "strip",
        transform(code, id) {
          if (!id.endsWith(".ts")) return null;
          transformed.push(id.split("/").at(-1));
          return { code: stripTypeScriptTypes(code), map: null };
        },
      };
      const watcher = watch({
        input: "src/watched.ts",
        external: /^skein/,
        output: { file: "dist/watched.js" },
        plugins: [skein.${bundler}(), strip],
        ...(${bundler === "rolldown"} && { moduleTypes: { ".ts": "js" } }),
      });
      const steps = [changeType, addFile];
      const seen = [];
      watcher.on("event", async (event) => {
        if (event.code === "ERROR") throw event.error;
        if (event.code === "BUNDLE_END") await event.result.close();
        if (event.code !== "END") return;
        const text = await readFile("dist/watched.js", "utf8");
        seen.push([/\\b(Look|More)\\./.exec(text)?.[1], /(city|town)\\\\?":/.exec(text)?.[1] ?? "", transformed.splice(0).sort()]);
        const next = steps.shift();
        if (next) return next();
        await watcher.close();
        console.log(JSON.stringify(seen));
      });
    `;
    const [first, second, third] = [await runWatching(`watch-${bundler}`, program)].flat();
    expect(first).toEqual(["Look", "city", ["plain.ts", "tools.ts", "watched.ts"]]);
    expect(second).toEqual(["Look", "town", again]);
    expect(third).toEqual(["More", "", expect.arrayContaining(["more.ts", "watched.ts"])]);
  });

  test.each(["webpack", "@rspack/core"])("%s, watching", async (bundler) => {
    const name = bundler === "webpack" ? "webpack" : "rspack";
    const program = `
      import { readFile } from "node:fs/promises";
      import bundler from "${bundler}";
      import { skein } from "skein/plugin";
      import { addFile, changeType } from "./edits.js";

      const compiler = bundler({
        mode: "development",
        devtool: false,
        target: "node",
        entry: "./src/watched.ts",
        externals: { skein: "module skein", "skein/attach": "module skein/attach" },
        experiments: { outputModule: true },
        output: { module: true, filename: "watched.js" },
        module: { rules: [{ test: /\\.ts$/, loader: ${
          name === "webpack"
            ? '"esbuild-loader", options: { target: "es2022" }'
            : '"builtin:swc-loader", options: { detectSyntax: "auto" }'
        } }] },
        plugins: [skein.${name}()],
      });
      const steps = [changeType, addFile];
      const seen = [];
      const watching = compiler.watch({ aggregateTimeout: 20 }, async (error, stats) => {
        if (error || stats.hasErrors()) throw error ?? new Error(stats.toString());
        const text = await readFile("dist/watched.js", "utf8");
        seen.push([/\\b(Look|More)\\./.exec(text)?.[1], /(city|town)\\\\?":/.exec(text)?.[1] ?? ""]);
        const next = steps.shift();
        if (next) return next();
        watching.close(() => compiler.close(() => console.log(JSON.stringify(seen))));
      });
    `;
    expect(await runWatching(`watch-${name}`, program)).toEqual([
      ["Look", "city"],
      ["Look", "town"],
      ["More", ""],
    ]);
  });

  test("esbuild, watching", async () => {
    const program = `
      import { context } from "esbuild";
      import { skein } from "skein/plugin";
      import { addFile, changeType } from "./edits.js";

      const steps = [changeType, addFile];
      const seen = [];
      const told = Promise.withResolvers();
      const tell = {
        name: "tell",
        setup: (build) => build.onEnd(async ({ errors, outputFiles }) => {
          if (errors.length > 0) return told.reject(new Error(JSON.stringify(errors)));
          const [{ text }] = outputFiles;
          const now = [/\\b(Look|More)\\./.exec(text)?.[1], /(city|town)\\\\?":/.exec(text)?.[1] ?? ""];
          // It may look between two writes of one step.
          if (JSON.stringify(now) === JSON.stringify(seen.at(-1))) return;
          seen.push(now);
          const next = steps.shift();
          if (next) return void next();
          told.resolve();
        }),
      };
      const building = await context({
        entryPoints: ["src/watched.ts"],
        bundle: true,
        external: ["skein", "skein/*"],
        format: "esm",
        platform: "node",
        write: false,
        plugins: [skein.esbuild(), tell],
      });
      await building.watch();
      await told.promise;
      await building.dispose();
      console.log(JSON.stringify(seen));
    `;
    expect(await runWatching("watch-esbuild", program)).toEqual([
      ["Look", "city"],
      ["Look", "town"],
      ["More", ""],
    ]);
  });
});

/** A file with a tool that only running the program names, and one without. */
const unseen = {
  "src/unseen.ts": [
    'import { schemaOf, type FunctionSchema } from "skein";',
    "/** Look. */",
    "const look = (city: string) => city;",
    "export const schemas: FunctionSchema[] = [await schemaOf(look)];",
    "for (const fn of [look]) schemas.push(await schemaOf(fn));",
  ].join("\n"),
  "src/Chat.vue":
    '<script>import { Agent } from "skein"; export default new Agent({ name: "Chat" }).name;</script>',
};

const warning = /unseen\.ts:5: no schema can be attached to fn/;

describe("a tool that cannot be seen is a warning, and everything else goes on, in", () => {
  test("Vite's development server", async () => {
    const program = `
      import { createLogger, createServer } from "vite";
      import { skein } from "skein/plugin";

      const warnings = [];
      const customLogger = { ...createLogger("silent"), warn: (text) => warnings.push(text) };
      const start = (options) => createServer({
        appType: "custom",
        customLogger,
        plugins: [skein.vite(options), {
          name: "scripts",
          transform: (code, id) => id.endsWith(".vue") ? code.replaceAll(/<.*?>/g, "") : null,
        }],
        server: { middlewareMode: true, ws: false },
        ssr: { noExternal: true },
      });
      const server = await start();
      const { schemas } = await server.ssrLoadModule("/src/unseen.ts?v=1");
      const chat = await server.ssrLoadModule("/src/Chat.vue");
      await server.close();
      const strict = await start({ strict: true });
      const refusal = await strict.ssrLoadModule("/src/unseen.ts").catch(({ message }) => message);
      await strict.close();
      const descriptions = schemas.map(({ description }) => description);
      console.log(JSON.stringify({ descriptions, chat: chat.default, warnings, refusal }));
    `;
    expect(await runWatching("warn-vite", program, unseen)).toEqual({
      descriptions: ["Look.", "Look."],
      chat: "Chat",
      warnings: [
        expect.stringMatching(warning),
        expect.stringMatching(/src\/Chat\.vue: no schema can be attached in its script/),
      ],
      refusal: expect.stringMatching(warning),
    });
  });

  test("vitest", async () => {
    const program = `
      import { startVitest } from "vitest/node";

      const vitest = await startVitest("test", [], { watch: false, reporters: [] });
      const states = vitest.state.getTestModules().flatMap((module) => module.state());
      await vitest.close();
      console.log(JSON.stringify(states));
    `;
    const files = {
      ...unseen,
      "src/unseen.test.ts": [
        'import { expect, test } from "vitest";',
        'import { schemas } from "./unseen.ts";',
        'test("all", () => expect(schemas.map(({ description }) => description)).toEqual(["Look.", "Look."]));',
      ].join("\n"),
      "vitest.config.js": [
        'import { skein } from "skein/plugin";',
        'export default { plugins: [skein.vite()], test: { include: ["src/*.test.ts"] } };',
      ].join("\n"),
    };
    const { exitCode, stdout, stderr } = await runProgram("warn-vitest", program, files);
    expect(exitCode, stderr).toBe(0);
    expect(stdout.trim().split("\n").at(-1)).toBe('["passed"]');
    expect(stdout + stderr).toMatch(warning);
  });
});

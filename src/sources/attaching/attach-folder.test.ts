import { mkdir, readFile, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { SourceMap } from "node:module";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { emittedProgram, type EmittedProgram } from "./test-emitted.ts";

const app = [
  'import { Agent, schemaOf } from "skein";',
  'import { weather as look, type Place } from "./tools.ts";',
  "",
  "/** Add. */",
  "const add = (a: number, b: number): number => a + b;",
  "const place: Place | undefined = undefined;",
  'export const agent = new Agent({ name: "A", tools: { look, add } });',
  "export const schemas = [await schemaOf(add), await schemaOf(look), place];",
  "",
].join("\n");

const sources = {
  "app.ts": app,
  "tools.ts": [
    "export interface Place { city: string }",
    "/** Look. */",
    "export function weather(place: Place, days = 3) { return place.city + days; }",
    "",
  ].join("\n"),
};

let program: EmittedProgram;

beforeEach(async () => {
  program = await emittedProgram(sources);
  await program.emit("tools.ts");
});

afterEach(async () => {
  await program.remove();
});

/** The calls of `attach` in an emitted text, without what they attach. */
function attachedIn(text: string): readonly string[] {
  return [...text.matchAll(/__skein\((\w+), __skein_\d+\(\)\)/g)].map(([, expression = ""]) => expression);
}

describe("schemas are attached", () => {
  test.each(["inline", "none"] as const)("where the source has tools; source map: %s", async (map) => {
    await program.emit("app.ts", map);
    const before = await program.emitted("tools.js");
    const { attached, problems, scripts } = await program.attach();
    expect(problems).toEqual([]);
    expect(attached).toEqual([{ path: program.path("dist/app.js"), places: 4 }]);
    expect(scripts).toBe(2);
    const text = await program.emitted("app.js");
    expect(attachedIn(text)).toEqual(["look", "add", "add", "look"]);
    expect(text).toContain('"description":"Look."');
    expect(text).toContain('import { attach as __skein } from "skein/attach";');
    expect(await program.emitted("tools.js")).toBe(before);
  });

  test("and the source map leads to where each token was", async () => {
    await program.emit("app.ts");
    await program.attach();
    const text = await program.emitted("app.js");
    const [, data = ""] = /sourceMappingURL=data:[^,]*,(\S+)/.exec(text) ?? [];
    const map = new SourceMap(JSON.parse(Buffer.from(data, "base64").toString()));
    for (const token of ["new Agent", "look, add }", "add }", "schemaOf(add)", "look)", "place]"]) {
      const [word = ""] = /\w+/.exec(token) ?? [];
      const pattern = new RegExp(String.raw`(?<=[{[( ]|__skein\()${word}(?=[,;\s()]|: )`, "g");
      const places = [...text.matchAll(pattern)].map(({ index }) => {
        const before = text.slice(0, index).split("\n");
        const entry = map.findEntry(before.length - 1, before.at(-1)?.length ?? 0);
        if (!("originalLine" in entry)) return "";
        return app.split("\n")[entry.originalLine]?.slice(entry.originalColumn) ?? "";
      });
      expect(places.filter((place) => place.startsWith(token))).toHaveLength(1);
    }
  });

  test("twice: nothing is done; after a change of a type elsewhere: they are replaced, and the rest stays", async () => {
    await program.emit("app.ts");
    await program.attach();
    const first = await program.emitted("app.js");
    expect(await program.attach()).toMatchObject({ isUnchanged: true, problems: [] });
    await program.write({ "src/tools.ts": sources["tools.ts"].replaceAll("city", "town") });
    await program.emit("tools.ts");
    expect(await program.attach()).toMatchObject({ isUnchanged: false, problems: [] });
    const second = await program.emitted("app.js");
    expect(second).toContain('"town"');
    expect(second.replaceAll("town", "city")).toBe(first);
    await program.write({ "src/tools.ts": sources["tools.ts"] });
    await program.emit("tools.ts");
    await program.attach();
    expect(await program.emitted("app.js")).toBe(first);
  });

  test("before the line that names the map, after directives, a byte order mark and a hashbang", async () => {
    const start = "'use client';\r\n";
    await program.write({ "src/app.ts": `\uFEFF${start}${app.replaceAll("\n", "\r\n")}` });
    await program.emit("tools.ts", "none");
    const emitted = app.replace(/: number|: Place \| undefined|, type Place/g, (type) =>
      " ".repeat(type.length),
    );
    await program.place(
      "app.js",
      `\uFEFF${start}${emitted.replaceAll("): number", ")        ")}//# sourceMappingURL=gone.js.map\n`,
    );
    expect((await program.attach()).problems).toEqual([]);
    const text = await program.emitted("app.js");
    expect(text.startsWith(`\uFEFF${start}`)).toBe(true);
    expect(attachedIn(text)).toHaveLength(4);
    expect(text).toMatch(/\n\/\/ skein:attach .*\n\/\/# sourceMappingURL=gone\.js\.map\n$/);
    await program.place("app.js", `#!/usr/bin/env node\n${emitted.replaceAll("): number", ")        ")}`);
    expect((await program.attach()).problems).toEqual([]);
    expect(await program.emitted("app.js")).toMatch(/^#!\/usr\/bin\/env node\nimport /);
  });

  test("in CommonJS by require, which the file's own statements tell", async () => {
    const text = [
      '"use strict";',
      'Object.defineProperty(exports, "__esModule", { value: true });',
      'const skein_1 = require("skein");',
      'const tools_js_1 = require("./tools.js");',
      "/** Add. */",
      "const add = (a, b) => a + b;",
      "const place = undefined;",
      'exports.agent = new skein_1.Agent({ name: "A", tools: { look: tools_js_1.weather, add } });',
      "exports.schemas = (async () => [await (0, skein_1.schemaOf)(add), await (0, skein_1.schemaOf)(tools_js_1.weather), place])();",
    ].join("\n");
    await program.place("app.js", text);
    expect((await program.attach()).problems).toEqual([]);
    const edited = await program.emitted("app.js");
    expect(edited).toContain(
      'look: /* @__PURE__ */ require("skein/attach").attach(tools_js_1.weather, __skein_',
    );
    expect(edited).toContain('add: /* @__PURE__ */ require("skein/attach").attach(add, __skein_');
    expect(edited).not.toContain("import {");
  });

  test("not in packages, declarations and what links lead to", async () => {
    await mkdir(program.path("dist/node_modules/other"), { recursive: true });
    await program.write({ "elsewhere/app.js": 'import "skein";\n' });
    await symlink(program.path("elsewhere"), program.path("dist/linked"));
    await program.place("node_modules/other/index.js", 'import "skein";\n');
    await program.place("app.d.ts", 'import "skein";\n');
    expect(await program.attach()).toMatchObject({ scripts: 1, attached: [], problems: [] });
  });
});

describe("nothing is written, and what is wrong is named,", () => {
  async function problemsOf(file = "app.js"): Promise<readonly string[]> {
    const before = await program.emitted(file);
    const { problems, attached } = await program.attach();
    expect(attached).toEqual([]);
    expect(await program.emitted(file)).toBe(before);
    return problems.map((problem) => problem.replaceAll(`${program.folder}/`, ""));
  }

  test("where an expression is not found", async () => {
    await program.emit("app.ts", "none");
    const text = await program.emitted("app.js");
    await program.place("app.js", text.replace("a + b", "b + a").replace("schemaOf(look)", "schemaOf(add)"));
    expect(await problemsOf()).toEqual([
      expect.stringMatching(/^src\/app\.ts:8: add is not found in dist\/app\.js\. Emit source maps/),
      expect.stringMatching(/^src\/app\.ts:8: look is not found in dist\/app\.js\. Emit source maps/),
    ]);
  });

  test("where two files use a function with several types", async () => {
    const using = (type: string): string =>
      `import { toolkit } from "skein";\nimport { Shelf } from "./shelf.js";\n` +
      `export const kit = toolkit(new Shelf<${type}>());\n`;
    await program.write({
      "src/shelf.ts":
        "export class Shelf<T> { items: T[] = []; put(item: T) { return this.items.push(item); } }\n",
      "src/app.ts": using("string"),
      "src/other.ts": using("number"),
    });
    for (const file of ["shelf.ts", "app.ts", "other.ts"]) await program.emit(file);
    expect(await problemsOf()).toEqual([
      expect.stringMatching(
        /src\/(?:app|other)\.ts:3: no schema can be attached to put: it is used with several types, here and at/,
      ),
    ]);
  });

  test("where a function has no schema", async () => {
    await program.write({ "src/app.ts": app.replace("(a: number", "(a: symbol").replace("a + b", "b") });
    await program.emit("app.ts");
    expect(await problemsOf()).toEqual(
      expect.arrayContaining([expect.stringMatching(/^src\/app\.ts:7: no schema can be attached to add: /)]),
    );
  });

  test("where the source has changed since", async () => {
    const map = {
      version: 3,
      sources: ["../src/app.ts"],
      sourcesContent: [`${app}\n`],
      names: [],
      mappings: "",
    };
    await program.emit("app.ts", "none");
    await program.place("app.js", `${await program.emitted("app.js")}//# sourceMappingURL=app.js.map\n`);
    await program.place("app.js.map", JSON.stringify(map));
    expect(await problemsOf()).toEqual([
      "src/app.ts has changed since dist/app.js was written. Compile it again, then attach.",
    ]);
  });

  test.each(["app.ts", "tools.ts"] as const)(
    "a source that is newer than what was made of it is refused: %s",
    async (file) => {
      await program.emit("app.ts");

      const later = new Date(Date.now() + 10_000);
      await writeFile(program.path(`src/${file}`), `${sources[file]}\n`);
      await utimes(program.path(`src/${file}`), later, later);
      const name = file.replace(".ts", ".js");
      expect(await problemsOf()).toEqual([
        `src/${file} has changed since dist/${name} was written. Compile it again, then attach.`,
      ]);
    },
  );

  test("where the emitted file was changed after schemas were attached", async () => {
    await program.emit("app.ts");
    await program.attach();
    await program.place("app.js", (await program.emitted("app.js")).replace("a + b", "a - b"));
    expect(await problemsOf()).toEqual([
      "dist/app.js cannot be read: it was changed after schemas were attached to it. Build it again.",
    ]);
  });

  test("where only the source map was written again", async () => {
    await program.emit("app.ts");
    const inline = await program.emitted("app.js");
    const [, data = ""] = /data:[^,]*,(\S+)/.exec(inline) ?? [];
    const map = Buffer.from(data, "base64").toString();
    await program.place("app.js", inline.replace(/data:\S+/, "app.js.map"));
    await program.place("app.js.map", map);
    await program.attach();
    expect(await program.emitted("app.js.map")).not.toBe(map);
    await program.place("app.js.map", map);
    await program.write({ "src/tools.ts": `${sources["tools.ts"]}\n` });
    expect(await problemsOf()).toEqual([
      "dist/app.js cannot be read: its source map was changed after schemas were attached to it. Build it again.",
    ]);
  });

  test("where a file uses Skein whose source is not there", async () => {
    await program.emit("app.ts");
    await rm(program.path("src/app.ts"));
    expect(await problemsOf()).toEqual([
      expect.stringMatching(/^dist\/app\.js uses Skein, but its source is not found\. Emit source maps/),
    ]);
  });

  test("where a file is not UTF-8", async () => {
    await program.emit("app.ts", "none");
    const bytes = Buffer.concat([
      Buffer.from("// caf\xe9\n", "latin1"),
      await readFile(program.path("dist/app.js")),
    ]);
    await writeFile(program.path("dist/app.js"), bytes);
    expect(await problemsOf()).toEqual([
      expect.stringMatching(/^dist\/app\.js is not UTF-8\. Emit it as UTF-8/),
    ]);
  });

  test("where a loader has no require", async () => {
    await program.emit("app.ts", "none");
    const body = (await program.emitted("app.js")).replace(/^import.*$/gm, "").replaceAll("export ", "");
    await program.place("app.js", `define(["require", "skein"], async function () {\n${body}\n});\n`);
    expect(await problemsOf()).toContainEqual(expect.stringContaining("is a module for an AMD loader"));
  });
});

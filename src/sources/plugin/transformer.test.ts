import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openCompiler, type Compiler } from "../compiler/index.ts";
import { madeUpProgram, type MadeUpProgram } from "../compiler/test-use-sites.ts";
import { createTransformer, type Transformed, type Transformer } from "./transformer.ts";

const sources = {
  "types.ts": "export interface Place { city: string }",
  "tools.ts":
    'import type { Place } from "./types.ts";\n/** Look. */\nexport function look(place: Place) { return place.city; }',
  "app.ts": 'import { schemaOf } from "skein";\nimport { look } from "./tools.ts";\nschemaOf(look);\n',
  "other.ts": 'import { schemaOf } from "skein";\nschemaOf((other: string) => other);\n',
};

let program: MadeUpProgram;
let compiler: Compiler;
let describedFiles: string[];
let transformer: Transformer;

beforeAll(async () => {
  program = await madeUpProgram(sources);
  compiler = await openCompiler({ cwd: program.folder });
});

afterAll(async () => {
  compiler.close();
  await program.remove();
});

beforeEach(async () => {
  describedFiles = [];
  await program.write(sources);
  transformer = createTransformer({
    ...compiler,
    useSites: (file) => {
      describedFiles.push(file.slice(program.folder.length + 1));
      return compiler.useSites(file);
    },
  });
  transformer.changed();
});

function transform(file: keyof typeof sources, text: string = sources[file]): Transformed {
  return transformer.transform(program.path(file), text, [program.path(file)]);
}

async function change(files: Partial<typeof sources>): Promise<void> {
  await program.write(files);
  transformer.changed(Object.keys(files).map((file) => program.path(file)));
}

describe("a file with tools", () => {
  test("gets their schemas, a map, and the files that they depend on", () => {
    const { code, map, problems, files } = transform("app.ts");
    expect(code).toMatch(
      /^import .*\nimport .*\nschemaOf\(\/\* @__PURE__ \*\/ __skein\(look, __skein_0\(\)\)\);\n/,
    );
    expect(code).toContain('"description":"Look."');
    expect(map).toMatchObject({ version: 3, sources: [program.path("app.ts")] });
    expect(problems).toEqual([]);
    expect(files).toEqual(expect.arrayContaining([program.path("tools.ts"), program.path("types.ts")]));
    expect(files).not.toContain(program.path("other.ts"));
  });

  test("is described once, for any number of requests", () => {
    expect(transform("app.ts")).toBe(transform("app.ts"));
    expect(describedFiles).toEqual(["app.ts"]);
  });

  test("is described again when a type changes that its functions use, and no other file is", async () => {
    transform("app.ts");
    transform("other.ts");
    await change({ "types.ts": "export interface Place { town: string }" });
    expect(transform("app.ts").code).toContain('"town"');
    transform("other.ts");
    expect(describedFiles).toEqual(["app.ts", "other.ts", "app.ts"]);
  });

  test("is described again when its own text changes, said or not", async () => {
    transform("other.ts");
    const text = sources["other.ts"].replaceAll("other", "another");
    await program.write({ "other.ts": text });
    expect(transform("other.ts", text).code).toContain('"another"');
  });

  test("keeps its byte order mark from moving anything", async () => {
    const text = `\uFEFF${sources["other.ts"]}`;
    await change({ "other.ts": text });
    expect(transform("other.ts", text).code).toContain(
      "schemaOf(/* @__PURE__ */ __skein((other: string) => other,",
    );
  });

  test("that another plugin has changed before is left alone, with a warning", () => {
    const { code, problems } = transform("other.ts", `// more\n${sources["other.ts"]}`);
    expect(code).toBeUndefined();
    expect(problems).toEqual([expect.stringMatching(/other\.ts: another plugin has changed this file/)]);
  });
});

test("tags of nested parameters, which TypeScript must not see, are not taken for a change of another plugin", async () => {
  const text = `import { schemaOf } from "skein";
/**
 * Plans a trip.
 * @param {object} trip - The trip
 * @param {number} trip.days - How many @maximum 9
 */
function planTrip(trip) { return trip.days; }
await schemaOf(planTrip);
`;
  await program.write({ "trip.js": text });
  transformer.changed([program.path("trip.js")]);
  const { code, problems } = transformer.transform(program.path("trip.js"), text, []);
  expect(problems).toEqual([]);
  expect(code).toContain('"maximum":9');
  expect(code).toContain("How many @maximum 9");
});

test("a file without tools is left as it is", () => {
  expect(transform("tools.ts")).toMatchObject({ code: undefined, map: undefined, problems: [] });
});

test("without modules, schemas are attached as the text says: by require", async () => {
  const text =
    'const { schemaOf } = require("skein");\n/** @param {string} x */\nfunction f(x) {}\nschemaOf(f);\n';
  await program.write({ "old.cjs": text });
  transformer.changed();
  const file = program.path("old.cjs");
  const { code } = transformer.transform(file, text, [file]);
  expect(code).toContain('schemaOf(/* @__PURE__ */ require("skein/attach").attach(f, __skein_0()));');
});

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { installBuilt } from "../built-package.ts";
import { installOnce } from "../consumer.ts";

const folder = fileURLToPath(new URL(".", import.meta.url));
const modules = join(folder, "node_modules");

/** By the titles of `app/main.ts`: what a model is told and what the call came to, or the error. */
let printed: Readonly<Record<string, unknown>>;
/** What `app/loop.ts` prints. */
let looped: unknown;

beforeAll(async () => {
  const manifest: { dependencies: object } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  const names = Object.keys(manifest.dependencies);
  await installOnce(folder, () => names.every((name) => existsSync(join(modules, name, "package.json"))));
  const project = await makeProject();
  printed = JSON.parse(await run(project, "main.ts"));
  looped = JSON.parse(await run(project, "loop.ts"));
}, 240_000);

async function run(project: string, program: string): Promise<string> {
  const { PATH = "", HOME = folder } = process.env;
  const { stdout } = await promisify(execFile)(process.execPath, [program], {
    cwd: project,
    env: { PATH, HOME, SKEIN_CACHE: "off" },
    timeout: 120_000,
  });
  return stdout;
}

/** The program, with the package as it is built. */
async function makeProject(): Promise<string> {
  const project = join(folder, ".work", "app");
  await rm(project, { recursive: true, force: true });
  await cp(join(folder, "app"), project, { recursive: true });
  await installBuilt(project);
  const compilerOptions = {
    strict: true,
    target: "esnext",
    module: "nodenext",
    noEmit: true,
    skipLibCheck: true,
    types: [],
  };
  const files = { "package.json": { private: true, type: "module" }, "tsconfig.json": { compilerOptions } };
  for (const [file, json] of Object.entries(files))
    await writeFile(join(project, file), JSON.stringify(json));
  return project;
}

describe("a function of a package is what its declarations say, and is called so", () => {
  test.each([
    // Its options are optional: a compiled file does not tell.
    ["add", "add(date,duration,options?)", '"2026-03-03T00:00:00.000Z"'],
    ["format", "format(date,formatStr,options?)", "2026"],
    ["differenceInDays", "differenceInDays(laterDate,earlierDate,options?)", "28"],
    ["isWeekend", "isWeekend(date,options?)", "true"],
    ["YAML.parse", "parse(src,options?)", '{"a":1}'],
    ["YAML.stringify", "stringify(value,options?)", "a: 1\n"],
    ["v5", "v5(value,namespace,offset?)", "05b16a01-46c6-56dd-bd6e-c6dfb4a1427a"],
    ["validate", "validate(uuid)", "false"],
    ["lodash.chunk", "chunk(array?,size?)", "[[1,2],[3]]"],
    ["lodash.camelCase", "camelCase(string?)", "aB"],
    ["lodash-es.chunk", "chunk(array?,size?)", "[[1,2],[3]]"],
    ["lodash-es.kebabCase", "kebabCase(string?)", "a-b"],
    ["semver.satisfies", "satisfies(version,range,optionsOrLoose?)", "true"],
    ["slugify", "slugify(string,options?)", "a-b"],
    ["nanoid", "nanoid(size?)", ""],
    ["isEmail", "isEmail(str,options?)", "true"],
    ["capitalize", "capitalize(str)", "Paris"],
    ["camelCase", "camelCase(input,options?)", "aB"],
    ["camelcase", "camelcase(input,options?)", "aB"],
    ["qs.parse", "parse(str,options?)", '{"a":"1"}'],
    ["queryString.parse", "parse(query,options?)", '{"a":"1"}'],
    ["picomatch.isMatch", "isMatch(str,patterns,options?)", "true"],
    ["Papa.unparse", "unparse(data,config?)", "a,1"],
    ["escapeStringRegexp", "escapeStringRegexp(string)", "a\\.b"],
    ["titleCase", "titleCase(input,options?)", "A Tale"],
    ["pluralize", "pluralize(word,count?,inclusive?)", "geese"],
    ["jsYaml.load", "load(input,options?)", '{"a":1}'],
    ["leftPad", "leftPad(str,len,ch?)", "001"],
    ["clamp", "clamp(value,limits)", "3"],
    ["deepmerge", "deepmerge(x,y,options?)", '{"a":1,"b":2}'],
    ["dayjs", "dayjs(date?)", '"2026-03-01T00:00:00.000Z"'],
  ])("%s", (title, told, answer) => {
    expect(printed[title]).toEqual({ told: [told], answer });
  });
});

test("JSDoc types of a package without declarations count", () => {
  expect(printed["toWords"]).toEqual({ told: ["toWords(number,asOrdinal?)"], answer: "three" });
});

test("of overloads, the first is described", () => {
  expect(printed["ms"]).toMatchObject({ told: ["ms(value,options?)"] });
});

test("a wrapper of a package has the types of what it wraps", () => {
  expect(printed["convert.hex.rgb"]).toMatchObject({ told: ["wrappedFn(hex)"] });
});

test("an instance whose methods take what JSON lacks is refused, with the method and the parameter", () => {
  expect(printed["Document"]).toMatch(/"createAlias" cannot be expressed.*\n.*parameter "node"/);
});

test("a list that grows passes on functions that their package describes", () => {
  expect(printed["a list that grows"]).toEqual({ told: ["stringify(obj,options?)"], answer: "a=1" });
});

test("in a loop, the values alone tell which functions of which packages they are", () => {
  expect(looped).toEqual([
    "add(date,duration,options?)",
    "format(date,formatStr,options?)",
    "differenceInDays(laterDate,earlierDate,options?)",
    "isWeekend(date,options?)",
    "parse(src,options?)",
    "stringify(value,options?)",
    "v5(value,namespace,offset?)",
    "validate(uuid)",
    "chunk(array?,size?)",
    "camelCase(string?)",
    "chunk(array?,size?)",
    "kebabCase(string?)",
    "satisfies(version,range,optionsOrLoose?)",
    "ms(value,options?)",
    "slugify(string,options?)",
    "nanoid(size?)",
    "isEmail(str,options?)",
    "capitalize(str)",
    "camelCase(input,options?)",
    "camelcase(input,options?)",
    "parse(str,options?)",
    "stringify(obj,options?)",
    "parse(query,options?)",
    "isMatch(str,patterns,options?)",
    "unparse(data,config?)",
    "rgb(hex)",
    "escapeStringRegexp(string)",
    "titleCase(input,options?)",
    // Its JSDoc types count before its declarations.
    "pluralize(word,count,inclusive)",
    "load(input,options?)",
    "leftPad(str,len,ch?)",
    "clamp(value,limits)",
    "deepmerge(x,y,options?)",
    "dayjs(date?)",
  ]);
});

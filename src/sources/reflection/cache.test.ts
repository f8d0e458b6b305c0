import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { tidyFolder } from "./cache-folder.ts";
import { makeProject, reflection, type Project } from "./test-process.ts";

/** What one start of the program tells of itself. */
interface Start {
  readonly schemas: readonly unknown[];
  /** The methods of V8's inspector that were called. */
  readonly methods: readonly string[];
  /** How many processes were started; -1 where the system does not list them. */
  readonly children: number;
}

const program = `
import { Session } from "node:inspector";
import { existsSync, readFileSync } from "node:fs";
const methods: string[] = [];
const { post } = Session.prototype;
Session.prototype.post = function (this: Session, method: string, ...rest: unknown[]): void {
  methods.push(method);
  Reflect.apply(post, this, [method, ...rest]);
};
const { describeFunctions } = await import(${JSON.stringify(reflection)});
const { weather, wind, twins } = await import("./tools.ts");
const found = await describeFunctions([weather, wind.bind(null, "x"), ...twins]);
const list = \`/proc/\${process.pid}/task/\${process.pid}/children\`;
const children = existsSync(list) ? (readFileSync(list, "utf8").match(/\\d+/g) ?? []).length : -1;
const schemas = found.map((each) => (each instanceof Error ? each.message : each));
console.log(JSON.stringify({ schemas, methods, children }));
`;

const tools = `
import type { Unit } from "./unit.ts";
/** The weather. */
export function weather(city: string, unit: Unit = "celsius"): string {
  return city + unit;
}
export const wind = (first: string, unit: Unit, place: string): string => first + place + unit;
export const twins = [(text: string): string => text, (text: number): number => text];
`;

let project: Project;
let folder: string;

beforeEach(() => {
  project = makeProject({
    "main.ts": program,
    "tools.ts": tools,
    "unit.ts": 'export type { Unit } from "./deeper.ts";',
    "deeper.ts": 'export type Unit = "celsius" | "kelvin";',
    "tsconfig.json": '{ "extends": "./base.json", "include": ["*.ts"] }',
    "base.json": '{ "compilerOptions": { "strict": true } }',
    "node_modules/.keep": "",
  });
  folder = project.path("node_modules/.cache/skein");
});

afterEach(() => project.remove());

async function start(env?: Readonly<Record<string, string>>): Promise<Start> {
  const told: Start = Object(await project.run(env));
  return told;
}

function entries(): readonly string[] {
  return readdirSync(folder).map((name) => join(folder, name));
}

/** Expects a start that got everything from the cache. */
function expectCached({ methods, children }: Start): void {
  expect(children).toBeLessThanOrEqual(0);
  expect(methods).toContain("Profiler.getBestEffortCoverage");
  expect(methods.filter((method) => method.startsWith("Debugger."))).toEqual([]);
}

/** Expects a start that had to ask the compiler. */
function expectCompiled({ schemas, children }: Start): void {
  expect(Math.abs(children)).toBe(1);
  expect(schemas).toHaveLength(4);
  expect(schemas).toMatchObject([{ name: "weather" }, { name: "wind" }, { name: "" }, { name: "" }]);
}

test("the second start finds everything in the cache: no compiler, no debugger, the same schemas", async () => {
  const first = await start();
  expectCompiled(first);
  expect(first.schemas).toMatchObject([
    { inputSchema: { properties: { unit: { enum: ["celsius", "kelvin"], default: "celsius" } } } },
    { inputSchema: { properties: { unit: { enum: ["celsius", "kelvin"] } }, required: ["unit", "place"] } },
    { inputSchema: { properties: { text: { type: "string" } } } },
    { inputSchema: { properties: { text: { type: "number" } } } },
  ]);
  const second = await start();
  expectCached(second);
  expect(second.schemas).toEqual(first.schemas);
});

test("a change of any file that a schema depends on is seen, of the source, imports and tsconfigs", async () => {
  const changes: Readonly<Record<string, string>> = {
    "tools.ts": tools.replace("The weather", "How it is outside"),
    "deeper.ts": 'export type Unit = "celsius" | "kelvin" | "rankine";',
    "unit.ts": 'export type Unit = "celsius" | "fahrenheit";',
    "base.json": '{ "compilerOptions": { "strict": false } }',
    "tsconfig.json": '{ "include": ["*.ts"], "compilerOptions": { "strict": true } }',
  };
  let before = await start();
  for (const [file, text] of Object.entries(changes)) {
    project.write(file, text);
    const changed = await start();
    expectCompiled(changed);
    expect(changed.schemas, file).not.toEqual(before.schemas);
    before = changed;
  }
  expectCached(await start());
});

test("a change of what is declared globally is seen", async () => {
  project.write("globals.d.ts", "interface Place { name: string }");
  project.write("tools.ts", tools.replace("place: string", "place: string | Place"));
  await start();
  expectCached(await start());
  project.write("globals.d.ts", "interface Place { title: string }");
  const changed = await start();
  expectCompiled(changed);
  expect(JSON.stringify(changed.schemas)).toContain("title");
});

test("a new file that an import names from then on is seen", async () => {
  project.write("unit.ts", 'export type { Unit } from "./deeper.js";');
  project.write("deeper.d.ts", 'export type Unit = "celsius" | "old";');
  rmSync(project.path("deeper.ts"));
  const enumOf = ({ schemas }: Start): unknown => JSON.stringify(schemas).match(/"enum":\[.*?\]/)?.[0];
  expect(enumOf(await start())).toBe('"enum":["celsius","old"]');
  expectCached(await start());
  project.write("deeper.ts", 'export type Unit = "celsius" | "new";');
  expect(enumOf(await start())).toBe('"enum":["celsius","new"]');
  expectCached(await start());
});

test("a new file that adds to what is declared globally is seen, in a new folder, too", async () => {
  project.write("tsconfig.json", '{ "extends": "./base.json", "include": ["**/*"] }');
  project.write("deeper.ts", "export type Unit = keyof Units;");
  project.write("units.d.ts", "interface Units { celsius: 1 }");
  const first = await start();
  expectCached(await start());
  project.write("more.d.ts", "interface Units { kelvin: 1 }");
  const second = await start();
  expect(second.schemas).not.toEqual(first.schemas);
  expectCached(await start());
  project.write("types/most.d.ts", "interface Units { rankine: 1 }");
  expect(JSON.stringify((await start()).schemas)).toContain("rankine");
  expectCached(await start());
});

test("a new file that is not a module leaves the cache valid, and so do files of other programs", async () => {
  project.write("data/first.log", "");
  await start();
  project.write("notes.md", "");
  project.write(".editor/state.ts", "");
  project.write("data/second.log", "");
  expectCached(await start());
});

test("a tsconfig that comes nearer is seen", async () => {
  rmSync(project.path("tsconfig.json"));
  await start();
  expectCached(await start());
  project.write("tsconfig.json", '{ "compilerOptions": { "strict": false } }');
  expectCompiled(await start());
});

test("cache files that are cut short, empty, changed or not from here are ignored and rewritten", async () => {
  const { schemas } = await start();
  const damages: readonly ((text: string) => string)[] = [
    (text) => text.slice(0, text.length / 2),
    () => "",
    () => '{"files":{},"schemas":{}}',
    (text) => text.replaceAll("celsius", "reaumur"),
  ];
  for (const damage of damages) {
    for (const path of entries()) writeFileSync(path, damage(readFileSync(path, "utf8")));
    const repaired = await start();
    expectCompiled(repaired);
    expect(repaired.schemas).toEqual(schemas);
  }
  expectCached(await start());
});

test("a folder in the place of a cache file does no harm", async () => {
  const { schemas } = await start();
  for (const path of entries()) {
    rmSync(path);
    mkdirSync(path);
  }
  expect((await start()).schemas).toEqual(schemas);
});

test("processes that start at once all find everything, and leave whole files only", async () => {
  const starts = await Promise.all(Array.from({ length: 4 }, () => start()));
  const [first] = starts;
  for (const each of starts) expect(each.schemas).toEqual(first?.schemas);
  expect(entries()).toEqual([expect.stringMatching(/\.json$/)]);
  expectCached(await start());
});

test("SKEIN_CACHE=off neither reads nor writes", async () => {
  expectCompiled(await start({ SKEIN_CACHE: "off" }));
  expect(existsSync(folder)).toBe(false);
  await start();
  expectCompiled(await start({ SKEIN_CACHE: "off" }));
});

test("where nothing can be written, everything is found anyway", async () => {
  project.write("node_modules/.cache", "a file where a folder should be");
  expectCompiled(await start());
  expectCompiled(await start());
});

test("without node_modules above, the cache stands among the user's temporary files", async () => {
  rmSync(project.path("node_modules"), { recursive: true });
  const temporary = realpathSync(mkdtempSync(join(tmpdir(), "skein-temporary-")));
  expectCompiled(await start({ TMPDIR: temporary }));
  const name = readdirSync(temporary).find((each) => each.startsWith("skein-cache-")) ?? "";
  expect(statSync(join(temporary, name)).mode & 0o077).toBe(0);
  expectCached(await start({ TMPDIR: temporary }));
  rmSync(temporary, { recursive: true });
});

test("of too many files, the oldest go", () => {
  mkdirSync(folder, { recursive: true });
  for (let count = 0; count < 1010; count += 1) {
    const path = join(folder, `${count}.json`);
    writeFileSync(path, "");
    utimesSync(path, count, count);
  }
  tidyFolder(folder);
  expect(entries()).toHaveLength(1000);
  expect(existsSync(join(folder, "9.json"))).toBe(false);
  expect(existsSync(join(folder, "10.json"))).toBe(true);
});

test("of too many bytes, the oldest go", () => {
  mkdirSync(folder, { recursive: true });
  for (const [age, name] of ["newest", "middle", "oldest"].entries()) {
    writeFileSync(join(folder, name), Buffer.alloc(15_000_000));
    utimesSync(join(folder, name), 100 - age, 100 - age);
  }
  tidyFolder(folder);
  expect(readdirSync(folder).toSorted()).toEqual(["middle", "newest"]);
});

import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openCache, type CachedSchema, type FunctionKey } from "./cache.ts";
import { makeProject, type Project } from "./test-process.ts";

const schema: CachedSchema = { name: "weather", inputSchema: { type: "object" }, parameters: [] };

let project: Project;
let key: FunctionKey;

beforeEach(() => {
  project = makeProject({
    "src/tools.ts": "export function weather(unit: Unit) {}",
    "src/types/unit.ts": 'export type Unit = "celsius";',
    "globals/names.d.ts": "type Name = string;",
    "node_modules/.keep": "",
  });
  key = { file: project.path("src/tools.ts"), id: "weather" };
});

afterEach(() => {
  vi.unstubAllEnvs();
  project.remove();
});

/** Stores schemas as a process does that has compiled them. */
function store(schemas: Readonly<Record<string, CachedSchema | null>> = { weather: schema }): void {
  const cache = openCache();
  for (const [id, each] of Object.entries(schemas)) cache.add({ ...key, id }, each);
  const files = ["src/tools.ts", "src/types/unit.ts"].map((file) => project.path(file));
  cache.save(() => files, [project.path("globals")]);
}

/** Looks for a schema as the next process does. */
const find = (id = key.id): unknown => openCache().find({ ...key, id });

test("a schema is found again as long as nothing has changed, each by its own id", () => {
  expect(find()).toBeUndefined();
  store();
  expect(find()).toEqual(schema);
  expect(find("wind")).toBeUndefined();
  expect(openCache().find({ file: project.path("src/others.ts"), id: key.id })).toBeUndefined();
});

test("a place that shows nothing is stored as such", () => {
  store({ weather: null });
  expect(find()).toBeNull();
});

test.each(["src/tools.ts", "src/types/unit.ts"])("a changed or missing %s makes the schema stale", (name) => {
  store();
  const file = project.path(name);
  const text = readFileSync(file, "utf8");
  writeFileSync(file, text.replace(/n/, "m"));
  expect(find()).toBeUndefined();
  writeFileSync(file, text);
  expect(find()).toEqual(schema);
  rmSync(file);
  expect(find()).toBeUndefined();
});

test.each(["src/more.ts", "src/types/unit.d.ts", "globals/more.d.ts", "globals/deeper", "src/package.json"])(
  "a new %s makes the schema stale: an import or a global may mean it",
  (name) => {
    store();
    if (name.includes(".")) project.write(name, "{}");
    else mkdirSync(project.path(name));
    expect(find()).toBeUndefined();
  },
);

test("files that no import can mean, and files of other folders, leave it valid", () => {
  store();
  project.write("src/notes.md", "");
  project.write("src/.editor/state.ts", "");
  project.write("other/more.ts", "");
  expect(find()).toEqual(schema);
});

test("a removed module or folder makes the schema stale", () => {
  project.write("globals/more.d.ts", "");
  store();
  renameSync(project.path("globals/more.d.ts"), project.path("globals/less.d.ts"));
  expect(find()).toBeUndefined();
  rmSync(project.path("globals"), { recursive: true });
  expect(find()).toBeUndefined();
});

test("a tsconfig that comes nearer makes the schema stale", () => {
  project.write("tsconfig.json", "{}");
  store();
  expect(find()).toEqual(schema);
  mkdirSync(project.path("src/tsconfig.json"));
  expect(find()).toBeUndefined();
});

test("a later process adds to what is stored, and replaces what has changed", () => {
  store();
  store({ wind: { ...schema, name: "wind" } });
  expect([find(), find("wind")]).toEqual([schema, { ...schema, name: "wind" }]);
  writeFileSync(key.file, "export function weather(unit: Unit, city: string) {}");
  store({ weather: { ...schema, description: "New." } });
  expect(find()).toEqual({ ...schema, description: "New." });
  expect(find("wind")).toBeUndefined();
});

test("a file whose sources have changed while they were read is not stored", () => {
  const cache = openCache();
  cache.add(key, schema);
  cache.save(() => undefined, []);
  expect(find()).toBeUndefined();
});

test("a stored file that was cut or edited is ignored", () => {
  store();
  const folder = project.path("node_modules/.cache/skein");
  const [name = ""] = readdirSync(folder);
  const file = `${folder}/${name}`;
  const text = readFileSync(file, "utf8");
  for (const damaged of [text.slice(0, -10), "", "{}", text.replace('"object"', '"string"')]) {
    writeFileSync(file, damaged);
    expect(find()).toBeUndefined();
  }
  writeFileSync(file, text);
  expect(find()).toEqual(schema);
});

test("SKEIN_CACHE=off neither stores nor finds", () => {
  store();
  vi.stubEnv("SKEIN_CACHE", "off");
  expect(find()).toBeUndefined();
  store({ wind: schema });
  vi.stubEnv("SKEIN_CACHE", undefined);
  expect([find(), find("wind")]).toEqual([schema, undefined]);
});

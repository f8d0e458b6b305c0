/** Documents of real APIs, and one of eight megabytes: every operation is a tool, or has a reason why it is none. */
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { toolset, type Tool } from "skein";
import { openapi } from "skein/openapi";
import { installOnce } from "../consumer.ts";

const folder = fileURLToPath(new URL(".", import.meta.url));
const inPackage = (path: string): string => join(folder, "node_modules", path);

const documents = {
  "GitHub, OpenAPI 3.0 as JSON": {
    file: inPackage("@octokit/openapi/generated/api.github.com.json"),
    atLeast: 1_000,
  },
  "Blockfrost, OpenAPI 3.0 as YAML": { file: inPackage("@blockfrost/openapi/openapi.yaml"), atLeast: 100 },
  "Okta, Swagger 2.0 as YAML": { file: inPackage("@okta/openapi/dist/spec.yaml"), atLeast: 300 },
};

beforeAll(async () => {
  await installOnce(folder, () => Object.values(documents).every(({ file }) => existsSync(file)));
}, 600_000);

/** Operations as they are written in a text: lines with a method alone, at the depth at which methods stand. */
function countOperations(text: string): number {
  const isJson = text.startsWith("{");
  const document: { paths?: Record<string, object> } = isJson ? JSON.parse(text) : {};
  const methods = /^(?:get|put|post|delete|patch|head|options)$/;
  if (isJson) {
    const items = Object.values(document.paths ?? {});
    return items.flatMap((item) => Object.keys(item).filter((key) => methods.test(key))).length;
  }
  const [, paths = ""] = /^paths:\n((?:(?:[ #].*)?\n)+)/m.exec(text) ?? [];
  return paths.split("\n").filter((line) => /^ {4}(?:get|put|post|delete|patch|head|options):\s*$/.test(line))
    .length;
}

function expectUsable(tools: readonly Tool[]): void {
  expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length);
  for (const { name, description, inputSchema } of tools) {
    expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(description).toBeTruthy();
    expect(JSON.stringify(inputSchema.jsonSchema).length, name).toBeLessThan(60_000);
    // A schema that cannot be compiled would throw.
    expect(inputSchema.validate({ "no such argument": 1 }).ok, name).toBe(false);
    const names = Object.keys(inputSchema.jsonSchema["properties"] ?? {});
    for (const argument of names) expect(argument).toMatch(/^[a-zA-Z0-9_.-]{1,64}$/);
  }
}

test.each(Object.entries(documents))("%s loses no operation", async (_name, { file, atLeast }) => {
  const api = openapi(file, { deprecated: true, auth: "secret" });
  const [tools, report] = await Promise.all([api.tools(), api.report()]);
  const count = countOperations(await readFile(file, "utf8"));
  expect(count).toBeGreaterThan(atLeast);
  expect(report.operations).toBe(count);
  expect(report.leftOut).toEqual([]);
  expect(tools).toHaveLength(count);
  expect(report.notes).toEqual([]);
  expectUsable(tools);
});

test("what is deprecated is left out, each with its reason", async () => {
  const { operations, tools, leftOut } = await openapi(
    documents["GitHub, OpenAPI 3.0 as JSON"].file,
  ).report();
  expect(leftOut.length).toBeGreaterThan(0);
  expect(tools.length + leftOut.length).toBe(operations);
  expect(new Set(leftOut.map(({ reason }) => reason))).toEqual(
    new Set(["it is deprecated, and the option deprecated is not set"]),
  );
});

test("in a thousand operations a search finds the one that is meant", async () => {
  const api = openapi(documents["GitHub, OpenAPI 3.0 as JSON"].file);
  const scope = { context: {}, agent: undefined, messages: [] };
  const [search] = await toolset(api).deferred({ limit: 5 }).tools(scope);
  const context = { ...scope, signal: new AbortController().signal };
  const found = await search?.execute?.({ query: "create an issue in a repository" }, context as never);
  expect(JSON.stringify(found)).toContain('"name":"issues_create"');
});

test("eight megabytes of YAML are read", { timeout: 120_000 }, async () => {
  const count = 6_000;
  const operation = (index: number): string => `  /things/${index}/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    put:
      operationId: putThing${index}
      summary: Puts thing number ${index} where it belongs
      description: ${"Every thing has its place, and every place its thing. ".repeat(16)}
      parameters:
        - { name: filter, in: query, style: deepObject, schema: { $ref: "#/components/schemas/Thing${index % 500}" } }
      requestBody:
        content:
          application/json: { schema: { $ref: "#/components/schemas/Thing${index % 500}" } }
      responses: { "200": { description: done } }
`;
  const schema = (index: number): string =>
    `    Thing${index}: { type: object, properties: { name: { type: string, nullable: true }, next: { $ref: "#/components/schemas/Thing${(index + 1) % 500}" } } }\n`;
  const lines = (make: (index: number) => string, times: number): string =>
    Array.from({ length: times }, (_, index) => make(index)).join("");
  const yaml = `openapi: 3.0.3\ninfo: { title: Large, version: "1" }\nservers: [{ url: https://a.example }]\npaths:\n${lines(operation, count)}components:\n  schemas:\n${lines(schema, 500)}`;
  expect(yaml.length).toBeGreaterThan(8_000_000);
  const place = await mkdtemp(join(tmpdir(), "skein-openapi-"));
  const file = join(place, "large.yaml");
  await writeFile(file, yaml);
  const { operations, tools, leftOut } = await openapi(file).report();
  expect([operations, tools.length, leftOut]).toEqual([count, count, []]);
  await rm(place, { recursive: true });
});

/** `node --import skein/register`: the sample application, from its sources, on every Node. */
import { beforeAll, describe, expect, test } from "vitest";
import { installRuntimes } from "../consumer.ts";
import { expectAlike } from "./expected.ts";
import { makeProject, pagePrograms, results, run, type Results } from "./projects.ts";

let development: Results;
let runtimes: Readonly<Record<string, readonly string[]>>;
let project: string;

beforeAll(async () => {
  const [page = ""] = await pagePrograms();
  runtimes = await installRuntimes();
  project = await makeProject("register", {
    "src/page.ts": page,
    "src/unseen.ts": `
      import { schemaOf } from "skein";
      /** Add. */
      const add = (a: number, b: number): number => a + b;
      const bag = { add };
      for (const fn of Object.values(bag)) console.log((await schemaOf(fn)).description);
    `,
    "src/fails.ts": [
      'import { schemaOf, type ToolFunction } from "skein";',
      "interface Place { city: string }",
      "/** Fail. */",
      "function fail(place: Place): string { throw new Error(place.city); }",
      "await schemaOf(fail); const more: ToolFunction[] = [fail];",
      'if (more.length > 0) fail({ city: "Paris" });',
    ].join("\n"),
    "src/one-line.ts": [
      'import { Agent, run, tool } from "skein";',
      'import { ScriptedModel } from "skein/testing";',
      "const { readOrder, ...others } = {",
      "  readOrder: (id: string) => `read ${id}`,",
      "  /** Cancel an order. */",
      "  cancelOrder: (id: string) => `cancelled ${id}`,",
      "};",
      "/** Find an order. */",
      "function findOrder(id: string) { return `found ${id}`; }",
      "const a = tool(readOrder); const b = tool(others.cancelOrder); const c = tool(findOrder);",
      'const model = new ScriptedModel(["Done."]);',
      'await run(new Agent({ name: "A", model, tools: [b] }), "Cancel it");',
      "console.log(model.requests[0]?.tools?.map(({ name }) => name).join(), a !== c);",
    ].join("\n"),
    "src/broken.ts": 'import { schemaOf } from "skein";\nconst = 1; schemaOf(() => 1);',
    "src/common.cjs": `
      const { schemaOf } = require("skein");
      /**
       * Shout.
       * @param {string} text
       */
      function shout(text) { return text.toUpperCase(); }
      schemaOf(shout).then((schema) => console.log(schema.description, Object.keys(schema.inputSchema.properties)));
    `,
  });
  development = await results([process.execPath, "src/main.ts"], project);
}, 240_000);

function node(runtime: string, file: string, ...options: readonly string[]): readonly string[] {
  return [...(runtimes[runtime] ?? []), ...options, "--import", "skein/register", `src/${file}`];
}

describe.each(["Node 22", "Node 24", "Node 26"])("on %s", (runtime) => {
  test("every tool has the schema that it has in development", async () => {
    expectAlike(await results(node(runtime, "main.ts"), project), development);
  });

  test("an error's line is that of the source", async () => {
    const { exitCode, stderr } = await run(node(runtime, "fails.ts"), project);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("Error: Paris");
    expect(stderr).toMatch(/at fail \(.*src\/fails\.ts:4:45\)/);
    expect(stderr).toMatch(/src\/fails\.ts:6:22/);
  });
});

describe("on Bun", () => {
  const bun = (file: string): readonly string[] => [
    ...(runtimes["Bun"] ?? []),
    "--preload",
    "skein/register",
    `src/${file}`,
  ];

  test("every tool has the schema that it has in development", async () => {
    expectAlike(await results(bun("main.ts"), project), development);
  });

  test("reports invisible tools, and their use is an error that names the remedies", async () => {
    const { exitCode, stderr } = await run(bun("unseen.ts"), project);
    expect(stderr).toMatch(/^skein: src\/unseen\.ts:6: no schema can be attached to fn: /);
    expect(stderr).toMatch(
      /No schema is found for the function "add".*list the function where the build sees it/,
    );
    expect(exitCode).toBe(1);
  });

  test("an error's line is that of the source", async () => {
    const { exitCode, stderr } = await run(bun("fails.ts"), project);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/src\/fails\.ts:4/);
  });
});

test("everything that the page says is seen, is seen, where nothing can be looked for", async () => {
  const options = ["--no-warnings", "--permission", "--allow-fs-read=*", "--allow-child-process"];
  const { exitCode, stdout, stderr } = await run(node("Node 26", "page.ts", ...options), project);
  expect(stderr).toBe("");
  expect(stdout).toBe("[ 'b' ]\n");
  expect(exitCode).toBe(0);
});

test("reports invisible tools, with file and line, and looks them up when they are used", async () => {
  const { stdout, stderr } = await run(node("Node 24", "unseen.ts"), project);
  expect(stdout).toBe("Add.\n");
  expect(stderr).toMatch(/^skein: src\/unseen\.ts:6: no schema can be attached to fn: .*\n$/);
});

test.each([
  ["alone", []],
  ["before a loader with a source map of its own", ["--experimental-transform-types", "--no-warnings"]],
])("of two tools in a line each is itself: %s", async (_, options) => {
  const { stdout, stderr } = await run(node("Node 24", "one-line.ts", ...options), project);
  expect(stderr).toMatch(
    /^skein: src\/one-line\.ts:10: no schema can be attached to others\.cancelOrder: .*\n$/,
  );
  expect(stdout).toBe("cancelOrder true\n");
});

test("a file with a syntax error fails as it does without", async () => {
  const { exitCode, stderr } = await run(node("Node 24", "broken.ts"), project);
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/broken\.ts:2/);
  expect(stderr).toMatch(/SyntaxError/);
});

test("CommonJS files have their schemas attached, too", async () => {
  const { stdout, stderr } = await run(node("Node 24", "common.cjs"), project);
  expect(stderr).toBe("");
  expect(stdout).toBe("Shout. [ 'text' ]\n");
});

import { build } from "esbuild";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { installRuntimes } from "../../../test/consumer.ts";
import { output } from "../../tool/output.ts";
import { describeOutput } from "./index.ts";
import { makeProject, runProcess } from "./test-process.ts";
import { describeOutput as describeNowhere } from "./unavailable.ts";

const source = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");
const program = fileURLToPath(new URL("fixtures/outputs.ts", import.meta.url));

let runtimes: Readonly<Record<string, readonly string[]>>;

beforeAll(async () => {
  runtimes = await installRuntimes();
}, 240_000);

const place = {
  type: "object",
  properties: {
    north: { type: "number", description: "Degrees north.", minimum: -90 },
    seen: { type: "string", format: "date-time" },
  },
  required: ["north"],
  additionalProperties: false,
};
const described = { ...place, description: "Where something is." };

const expected = [
  { name: "Place", inputSchema: described, parameters: [], revive: { "#/properties/seen": "date" } },
  {
    name: "readonly Place[]",
    inputSchema: { type: "array", items: described },
    parameters: [],
    revive: { "#/items/properties/seen": "date" },
  },
  { name: '"yes" | "no"', inputSchema: { type: "string", enum: ["yes", "no"] }, parameters: [] },
  {
    name: "Record<string, number>",
    inputSchema: { type: "object", additionalProperties: { type: "number" } },
  },
  { name: "{ readonly inner: Place | null }", inputSchema: { required: ["inner"] } },
  { error: expect.stringMatching(/T\[\].*cannot be expressed.*\n.*fixtures\/outputs\.ts:14/) },
  {
    error: expect.stringMatching(/no call with a type stands at .*outputs\.ts:16\. Write the type .*zod/),
  },
];

test.each([
  { how: "running TypeScript itself", runtime: "Node 22", options: [] },
  { how: "running TypeScript itself", runtime: "Node 26", options: [] },
  { how: "running TypeScript through tsx", runtime: "Node 24", options: ["--import", "tsx"] },
  { how: "running TypeScript itself", runtime: "Deno", options: [] },
])("on $runtime $how, the types are found, again from the cache", async ({ runtime, options }) => {
  const [command = "", ...args] = runtimes[runtime] ?? [];
  for (const SKEIN_CACHE of ["off", "on", "on"]) {
    const { stdout, stderr } = await runProcess([command, ...args, ...options, program], {
      env: { SKEIN_CACHE },
    });
    expect(JSON.parse(stdout || "[]"), stderr).toMatchObject(expected);
  }
});

test("in a built file with a source map, the types are found in its sources", async () => {
  const project = makeProject({});
  try {
    const outfile = project.path("dist/main.js");
    project.write(
      "main.ts",
      `import { output } from "${source}/tool/output.ts";
      import { describeOutput } from "${source}/sources/reflection/index.ts";
      interface Place { city: string; }
      const { calledAt } = output<Place>();
      console.log(JSON.stringify((await describeOutput(calledAt)).inputSchema?.required));`,
    );
    await build({
      bundle: true,
      format: "esm",
      minify: true,
      sourcemap: true,
      entryPoints: [project.path("main.ts")],
      outfile,
      external: [`${source}/*`],
    });
    const { stdout, stderr } = await runProcess([process.execPath, outfile]);
    expect(stdout, stderr).toBe('["city"]\n');
  } finally {
    project.remove();
  }
});

test("under vitest, the type of a call is found, and of several on a line the right one", async () => {
  const both = [output<{ readonly one: string }>(), output<{ readonly two: number }>()];
  const found = await Promise.all(both.map(({ calledAt }) => describeOutput(calledAt)));
  expect(found).toMatchObject([
    { inputSchema: { properties: { one: { type: "string" } } } },
    { inputSchema: { properties: { two: { type: "number" } } } },
  ]);
});

test("a stack that was read before, or is empty, is taken as it is", async () => {
  const { calledAt } = output<{ readonly one: string }>();
  expect(calledAt.stack).toContain("outputs.test.ts");
  expect(await describeOutput(calledAt)).toMatchObject({ inputSchema: { required: ["one"] } });
  const nowhere = new Error("nowhere");
  nowhere.stack = "";
  expect(await describeOutput(nowhere)).toMatchObject({
    code: "schema-not-found",
    message: expect.stringContaining("where it was called is not known"),
  });
});

test("where nothing can be looked for, the error names the remedies", async () => {
  expect(await describeNowhere(new Error("here"))).toMatchObject({
    code: "schema-not-found",
    message: expect.stringMatching(/this program was built.*skein\/plugin.*zod/),
  });
});

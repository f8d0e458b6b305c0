/** The sample application, built by every bundler as docs/production.md says, works as it does in development. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { bun, bundlers, configuration, installBundlers, makeProject, run } from "./projects.ts";

interface Results {
  readonly shapes: Readonly<Record<string, unknown>>;
  readonly declared: Readonly<Record<string, unknown>>;
}

let development: Results;

beforeAll(async () => {
  await installBundlers();
  development = await results([process.execPath, "src/main.ts"], await makeProject("development"));
}, 240_000);

async function results(command: readonly string[], project: string): Promise<Results> {
  const { exitCode, stdout, stderr } = await run(command, project);
  expect(stderr).toBe("");
  expect(exitCode).toBe(0);
  return JSON.parse(stdout);
}

const distance = {
  name: "distance",
  description: "Measure a distance.",
  inputSchema: {
    type: "object",
    properties: {
      from: { type: "string", description: "Where it begins" },
      to: { type: "string" },
      unit: { type: "string", enum: ["km", "mi"] },
    },
    required: ["from", "to"],
    additionalProperties: false,
  },
};

function expectAlike(built: Results): void {
  expect(Object.keys(development.shapes).length).toBeGreaterThan(15);
  expect(built.shapes).toEqual(development.shapes);
  expect(built.declared).toMatchObject({
    function: [distance],
    bag: [{ name: "weigh", description: "Weigh a thing.", inputSchema: { required: ["thing"] } }],
  });
}

describe.each(bundlers)("built by $heading", ({ heading, command }) => {
  let project: string;

  beforeAll(async () => {
    project = await makeProject(heading.toLowerCase(), await configuration(heading));
    const { exitCode, stdout, stderr } = await run(command, project);
    expect(exitCode, stdout + stderr).toBe(0);
    expect(stdout + stderr).not.toContain("no schema can be attached");
  }, 120_000);

  test("every tool has the schema that it has in development", async () => {
    const runtime = heading === "Bun" ? bun : process.execPath;
    expectAlike(await results([runtime, "dist/main.js"], project));
  });

  test("the bundle holds neither TypeScript nor the inspector", async () => {
    const dist = join(project, "dist");
    const files = (await readdir(dist, { recursive: true })).filter((file) => file.endsWith(".js"));
    const texts = await Promise.all(files.map((file) => readFile(join(dist, file), "utf8")));
    const bundle = texts.join("\n");
    expect(bundle).toContain("No schema is found for");
    expect(bundle).not.toMatch(/node:inspector|FunctionLocation|typescript\/unstable|\btsgo\b/);
  });
});

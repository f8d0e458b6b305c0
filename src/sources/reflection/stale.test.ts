import { readFileSync, writeFileSync } from "node:fs";
import { build } from "esbuild";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeProject, reflection, runProcess, type Project } from "./test-process.ts";

// Programs whose sources change after their code was loaded, or built.

const units = 'export const units = ["c", "f"] as const;\nexport type Unit = (typeof units)[number];\n';

const convert = `
import { units, type Unit } from "./units.ts";
import type { Amount } from "./amount.ts";
import { log } from "./log.ts";
export function convert(unit: Unit, amount: Amount) { log(unit); return units.includes(unit) ? amount : unit; }
`;

/** Changes a file once everything is loaded, and prints what is found of the function. */
const main = `
import { writeFileSync } from "node:fs";
import { describeFunctions } from ${JSON.stringify(reflection)};
import { convert } from "./convert.ts";
const [, , file, text] = process.argv;
if (file) writeFileSync(file, text ?? "");
const [found] = await describeFunctions([convert]);
console.log(JSON.stringify(found instanceof Error ? found.message : found?.inputSchema["properties"]));
`;

let project: Project;

beforeEach(() => {
  project = makeProject({
    "units.ts": units,
    "amount.ts": "export type Amount = 1 | 2;\n",
    "log.ts": "export const log = (text: string): string => text;\n",
    "convert.ts": convert,
    "main.ts": main,
  });
});

afterEach(() => project.remove());

async function start(...args: readonly string[]): Promise<unknown> {
  const { stdout, stderr } = await runProcess([process.execPath, ...args], { cwd: project.folder });
  return JSON.parse(stdout || JSON.stringify(stderr));
}

const longer = units.replace('"f"', '"f", "kelvin"');
const plain = { unit: { enum: ["c", "f"] }, amount: { enum: [1, 2] } };

test("a value that was added to a list after it was loaded is refused, and found once the program starts again", async () => {
  const message = `its types are newer than the code that runs, for ${project.path("units.ts")} was changed after it was loaded: start the program again.`;
  expect(await start("main.ts")).toMatchObject(plain);
  expect(await start("main.ts", "units.ts", longer)).toEqual(expect.stringContaining(message));
  expect(await start("main.ts")).toMatchObject({ unit: { enum: ["c", "f", "kelvin"] } });
});

test("so it is though another process has found and stored the new schema", async () => {
  project.write("units.ts", longer);
  expect(await start("main.ts")).toMatchObject({ unit: { enum: ["c", "f", "kelvin"] } });
  project.write("units.ts", units);
  expect(await start("main.ts", "units.ts", longer)).toEqual(
    expect.stringContaining("start the program again"),
  );
});

test.each([
  { what: "types alone", file: "amount.ts", text: "export type Amount = 1 | 2 | 3;\n", amount: [1, 2, 3] },
  { what: "a comment", file: "units.ts", text: `${units}// kelvin\n`, amount: [1, 2] },
  {
    what: "what the schema does not speak of",
    file: "log.ts",
    text: 'export const log = (text: string): string => "kelvin" + text;\n',
    amount: [1, 2],
  },
])("a change of $what after the start is not a change of the code", async ({ file, text, amount }) => {
  expect(await start("main.ts", file, text)).toMatchObject({ unit: plain.unit, amount: { enum: amount } });
});

test("a program that was built of an older source is refused until it is built again", async () => {
  const compile = async (): Promise<void> => {
    const entryPoints = ["convert", "units", "log", "main"].map((name) => project.path(`${name}.ts`));
    await build({
      entryPoints,
      outdir: project.path("dist"),
      format: "esm",
      sourcemap: true,
      sourcesContent: false,
    });
    for (const name of ["convert", "main"]) {
      const file = project.path(`dist/${name}.js`);
      writeFileSync(file, readFileSync(file, "utf8").replaceAll(/(?<="\.\/\w+)\.ts(?=")/g, ".js"));
    }
  };
  await compile();
  expect(await start("dist/main.js")).toMatchObject(plain);
  project.write("units.ts", longer);
  expect(await start("dist/main.js")).toEqual(
    expect.stringContaining(
      `${project.path("units.ts")} was changed after ${project.path("dist/convert.js")} was built: build the program again.`,
    ),
  );
  await compile();
  expect(await start("dist/main.js")).toMatchObject({ unit: { enum: ["c", "f", "kelvin"] } });
});

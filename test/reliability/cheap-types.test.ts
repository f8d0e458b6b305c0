import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";

const execute = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = join(root, "test", ".types");

afterAll(() => rm(folder, { recursive: true, force: true }));

/** What an agent without tools may cost the checker, all of Skein's own code included, in instantiations. */
const baseBudget = 128_000;

/** What a hundred tools may cost beside that: 20 each. */
const budget = 2_000;

/** A program with an agent of so many tools, half of them plain functions. */
function program(tools: number): string {
  const lines = Array.from({ length: tools }, (_, n) =>
    n % 2 === 0
      ? `function f${n}(city: string, unit: "a" | "b" = "a", nested?: { deep: { list: string[] } }) { return { city, unit, nested }; }`
      : `const f${n} = tool({ name: "f${n}", input: { type: "object", properties: { n: { type: "number" } } }, execute: ({ n }: { n: number }, context: ToolContext) => String(context.agent?.name) + n });`,
  );
  const names = Array.from({ length: tools }, (_, n) => `f${n}`).join(", ");
  return [
    'import { Agent, run, tool, type ToolContext } from "skein";',
    "export const used = { tool } satisfies object; export type Used = ToolContext;",
    ...lines,
    `export const agent = new Agent({ name: "A", tools: [${names}] });`,
    'export const text: Promise<string> = run(agent, "Go.").then((result) => result.text);',
  ].join("\n");
}

async function instantiations(tools: number): Promise<number> {
  const own = join(folder, String(tools));
  await mkdir(own, { recursive: true });
  const options = { isolatedDeclarations: false, declaration: false };
  const config = {
    extends: "../../../tsconfig.json",
    compilerOptions: options,
    include: ["*.ts"],
    exclude: [],
  };
  await writeFile(join(own, "tsconfig.json"), JSON.stringify(config));
  await writeFile(join(own, "program.ts"), program(tools));
  const { stdout } = await execute("tsc", ["-p", own, "--extendedDiagnostics", "--singleThreaded"], {
    cwd: root,
  });
  return Number(/^Instantiations:\s+(\d+)/m.exec(stdout)?.[1]);
}

test("a hundred tools in an agent type-check within their budget", { timeout: 120_000 }, async () => {
  const [none, hundred] = [await instantiations(0), await instantiations(100)];
  expect(none).toBeGreaterThan(0);
  expect(none).toBeLessThan(baseBudget);
  expect(hundred - none).toBeLessThan(budget);
});

test("no type of ours comes from a library of schemas", async () => {
  const files = (await readdir(join(root, "src"), { recursive: true })).filter(
    (file) => file.endsWith(".ts") && !/(?:test(?:-d)?\.ts$|test-|fixtures)/.test(file),
  );
  expect(files.length).toBeGreaterThan(100);
  const library =
    /(?:from |import\()"(?:zod|valibot|arktype|typebox|@sinclair|effect|ajv|@standard-schema)\b/;
  const found = await Promise.all(
    files.map(async (file) => (library.test(await readFile(join(root, "src", file), "utf8")) ? [file] : [])),
  );
  expect(found.flat()).toEqual([]);
});

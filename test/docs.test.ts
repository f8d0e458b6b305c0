/** Every TypeScript block of README.md and docs/ is a program: it type-checks, runs, and prints what its `//>` lines say. */
import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

const execute = promisify(execFile);
const root = fileURLToPath(new URL("..", import.meta.url));
// One for each process, for whoever tries the pages twice at a time.
const folder = join(root, "test", ".docs", String(process.pid));

interface Program {
  /** Such as `docs/tools.md #2`. */
  readonly title: string;
  readonly file: string;
  readonly code: string;
}

async function programs(): Promise<readonly Program[]> {
  const pages = [
    "README.md",
    ...(await readdir(join(root, "docs")))
      .filter((name) => name.endsWith(".md"))
      .map((name) => `docs/${name}`),
  ];
  const found = await Promise.all(
    pages.map(async (page) => blocksOf(page, await readFile(join(root, page), "utf8"))),
  );
  return found.flat();
}

function blocksOf(page: string, markdown: string): Program[] {
  return [...markdown.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = ""], index) => ({
    title: `${page} #${index + 1}`,
    file: join(folder, `${page.replaceAll(/[^a-z]+/gi, "-")}-${index + 1}.ts`),
    code,
  }));
}

const all = await programs();

beforeAll(async () => {
  await mkdir(folder, { recursive: true });
  await writeFile(
    join(folder, "tsconfig.json"),
    '{ "extends": "../../../tsconfig.json", "compilerOptions": { "isolatedDeclarations": false, "declaration": false, "noUnusedLocals": false }, "include": ["*.ts"] }\n',
  );
  await Promise.all(all.map(({ file, code }) => writeFile(file, code)));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test("there are programs on every page", () => {
  expect(all.length).toBeGreaterThan(12);
});

test("they type-check", { timeout: 60_000 }, async () => {
  const checked = await execute("tsc", ["-p", folder], { cwd: root }).then(
    () => "",
    (error: { stdout: string }) => error.stdout,
  );
  expect(checked).toBe("");
});

test.each(all)("$title runs and prints what it says", { timeout: 60_000 }, async ({ file, code }) => {
  const child = execute(process.execPath, ["--import", "./test/from-source.ts", file], {
    cwd: root,
    env: {
      PATH: process.env.PATH ?? "",
      SKEIN_MODEL: "offline",
      NO_COLOR: "1",
      // All of them load the same sources: stripped of their types and compiled once.
      NODE_COMPILE_CACHE: join(folder, "compiled"),
    },
  });
  child.child.stdin?.end();
  const { stdout } = await child;
  const expected = [...code.matchAll(/^\/\/>(?: (.*))?$/gm)].map(([, line = ""]) => line);
  // A page that shows no output leaves it open what its program prints, but it must print something.
  const printed = stdout.trimEnd().split("\n");
  expect(printed).toEqual(expected.length > 0 ? expected : printed);
  expect(printed).not.toEqual([""]);
});

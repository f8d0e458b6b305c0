/**
 * Every TypeScript block of README.md and docs/ is a program: it type-checks, runs, and prints what its `//>` lines say. A block that
 * begins with `// NAME.ts` is that file, which later blocks of its page may import.
 */
import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { BatchServer } from "./batches/batch-server.ts";

const execute = promisify(execFile);
const root = fileURLToPath(new URL("..", import.meta.url));
// One for each process, for whoever tries the pages twice at a time.
const folder = join(root, "test", ".docs", String(process.pid));

interface Program {
  /** Such as `docs/tools.md #2`. */
  readonly title: string;
  readonly file: string;
  readonly code: string;
  /** What a chat with it prints, where the page shows one: a block that begins with `$ npx skein chat NAME.ts`. */
  readonly transcript?: string;
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
  const name = page.replaceAll(/[^a-z]+/gi, "-");
  return [...markdown.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = ""], index) => {
    const file = /^\/\/ (\S+\.ts)\n/.exec(code)?.[1];
    const transcript = file === undefined ? undefined : transcriptOf(file, markdown);
    return {
      title: file === undefined ? `${page} #${index + 1}` : `${page}: ${file}`,
      file: join(folder, file === undefined ? `${name}-${index + 1}.ts` : join(name, file)),
      code,
      ...(transcript !== undefined && { transcript }),
    };
  });
}

function transcriptOf(file: string, markdown: string): string | undefined {
  return markdown.split(`\n\`\`\`console\n$ npx skein chat ${file}\n`)[1]?.split(/^```$/m)[0];
}

const all = await programs();
const batches = new BatchServer();

beforeAll(async () => {
  await batches.start();
  await mkdir(folder, { recursive: true });
  await writeFile(
    join(folder, "tsconfig.json"),
    '{ "extends": "../../../tsconfig.json", "compilerOptions": { "isolatedDeclarations": false, "declaration": false, "noUnusedLocals": false }, "include": ["**/*.ts"] }\n',
  );
  await Promise.all(all.map(({ file }) => mkdir(dirname(file), { recursive: true })));
  await Promise.all(all.map(({ file, code }) => writeFile(file, code)));
});

afterAll(async () => {
  await batches.close();
  await rm(folder, { recursive: true, force: true });
});

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
  const stdout = await start([file], dirname(file) === folder ? root : dirname(file));
  const expected = [...code.matchAll(/^\/\/>(?: (.*))?$/gm)].map(([, line = ""]) => line);
  // A page that shows no output leaves it open what its program prints, but it must print something.
  const printed = stdout.trimEnd().split("\n");
  expect(printed).toEqual(expected.length > 0 ? expected : printed);
  // A file that others import may print nothing.
  expect(stdout !== "" || code.includes("\nexport ")).toBe(true);
});

const chats = all.flatMap(({ title, file, transcript }) =>
  transcript === undefined ? [] : [{ title, file, transcript }],
);

test.each(chats)(
  "a chat with $title goes as the page shows it",
  { timeout: 60_000 },
  async ({ file, transcript }) => {
    const lines = transcript.split("\n").filter((line) => line.startsWith("> "));
    const stdout = await start(
      [join(root, "src/cli/bin.ts"), "chat", basename(file)],
      dirname(file),
      lines.map((line) => `${line.slice(2)}\n`).join(""),
    );
    expect(stdout.replace(/^Offline stand-in.*\n/, "")).toBe(transcript);
  },
);

/** What a program prints, on the offline model. */
async function start(args: readonly string[], cwd: string, input = ""): Promise<string> {
  const loader = pathToFileURL(join(root, "test/from-source.ts")).href;
  const child = execute(process.execPath, ["--import", loader, ...args], {
    cwd,
    env: {
      PATH: process.env.PATH ?? "",
      SKEIN_MODEL: "offline",
      NO_COLOR: "1",
      // For programs about batches; others ask no model of a provider.
      ANTHROPIC_BASE_URL: batches.url,
      ANTHROPIC_API_KEY: "key",
      // All of them load the same sources: stripped of their types and compiled once.
      NODE_COMPILE_CACHE: join(folder, "compiled"),
    },
  });
  child.child.stdin?.end(input);
  return (await child).stdout;
}

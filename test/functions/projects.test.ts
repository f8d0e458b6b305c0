/** Functions of projects that set TypeScript up in other ways than this one, each in a process of its own. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sampleProjects } from "./sample-projects.ts";

const execute = promisify(execFile);
const fromSource = fileURLToPath(new URL("../from-source.ts", import.meta.url));
const program = `
  import { executeToolCalls, schemaOf } from "skein";
  import { functions } from "./main.ts";
  await executeToolCalls([], functions);
  const entries = Object.entries(functions).map(async ([name, fn]) => [name, (await schemaOf(fn)).inputSchema]);
  console.log(JSON.stringify(Object.fromEntries(await Promise.all(entries))));
`;

let folder: string;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "skein-projects-")));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test.each(sampleProjects)(
  "with $title, every function has its schema",
  async ({ title, files, expected }) => {
    const project = join(folder, title.replaceAll(/\W+/g, "-"));
    const all = { ...files, "package.json": '{ "type": "module" }', "print.mjs": program };
    for (const [name, text] of Object.entries(all)) {
      await mkdir(dirname(join(project, name)), { recursive: true });
      await writeFile(join(project, name), text);
    }
    const { stdout } = await execute(process.execPath, ["--import", fromSource, "print.mjs"], {
      cwd: project,
      env: { PATH: process.env["PATH"] ?? "", SKEIN_CACHE: "off" },
    });
    expect(JSON.parse(stdout)).toEqual(expected);
  },
);

import { join } from "node:path";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { installRuntimes } from "../../../test/consumer.ts";
import { openCompiler } from "../compiler/index.ts";
import { shapeOf } from "./function-text.ts";
import { isMadeOf } from "./outdated.ts";
import { makeProject, reflection, runProcess } from "./test-process.ts";

const self = fileURLToPath(import.meta.url);
const fixtures = fileURLToPath(new URL("fixtures/functions.ts", import.meta.url));

let runtimes: Readonly<Record<string, readonly string[]>>;

beforeAll(async () => {
  runtimes = await installRuntimes();
}, 240_000);

/** Written with all that build tools rewrite. */
function typed<const T extends string>(
  this: void,
  text: T | (string & {}),
  ...rest: readonly number[]
): string {
  interface Local {
    readonly name: string;
  }
  // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- there to be rewritten
  const local = { name: text as string } satisfies Local;
  const count = rest.length > 1_000 ? 0x10 : "ünï 'quoted'";
  // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- there to be rewritten
  return join(local.name!, `${count as string} of ${rest.map((each: number): number => each * 2).join()}`);
}

test("a function that vite has rewritten is made of its source, and of no other", async () => {
  const compiler = await openCompiler();
  const text = Function.prototype.toString.call(typed);
  const [found] = compiler.functionsLike(self, shapeOf("typed", text));
  compiler.close();
  if (found === undefined) throw new Error("the function is not found");
  expect(text).toContain("__vite_ssr_import");
  expect(isMadeOf(found, text)).toBe(true);
  expect(isMadeOf(found, text.replace("1e3", "2e3"))).toBe(false);
  expect(isMadeOf(found, text.replace("local.name", "local"))).toBe(false);
});

test.each([
  { runtime: "Node 24", options: [] },
  { runtime: "Node 24", options: ["--import", import.meta.resolve("tsx")] },
  { runtime: "Deno", options: [] },
])(
  "on $runtime $options, functions of a file written after the start are found",
  async ({ runtime, options }) => {
    const project = makeProject({
      "main.ts": `
import { writeFileSync } from "node:fs";
import { describeFunctions } from ${JSON.stringify(reflection)};
writeFileSync("tools.ts", ${JSON.stringify(readFileSync(fixtures, "utf8"))});
const tools = await import("./tools.ts");
const found = await describeFunctions([tools.default, ...Object.values(tools.functions), ...tools.twinFunctions]);
console.log(JSON.stringify(found.map((each) => (each instanceof Error ? each.message : "found"))));
`,
    });
    const [command = "", ...args] = runtimes[runtime] ?? [];
    const { stdout, stderr } = await runProcess([command, ...args, ...options, "main.ts"], {
      cwd: project.folder,
    });
    project.remove();
    expect(new Set(JSON.parse(stdout || JSON.stringify([stderr])))).toEqual(new Set(["found"]));
  },
);

test("a source that is replaced by an older one after it was loaded is refused: another function runs", async () => {
  const project = makeProject({
    "tools.ts": "export function remove(target: { id: string }) { return `removed ${target.id}`; }\n",
    "main.ts": `
import { utimesSync, writeFileSync } from "node:fs";
import { describeFunctions } from ${JSON.stringify(reflection)};
const { remove } = await import("./tools.ts");
writeFileSync("tools.ts", "export function remove(target: { id: number }) { return -target.id; }\\n");
utimesSync("tools.ts", new Date("2001-01-01"), new Date("2001-01-01"));
const [found] = await describeFunctions([remove]);
console.log(found instanceof Error ? found.message : JSON.stringify(found));
`,
  });
  const { stdout, stderr } = await runProcess([...(runtimes["Node 24"] ?? []), "main.ts"], {
    cwd: project.folder,
  });
  project.remove();
  expect(stdout || stderr).toContain("it was changed after it was loaded, and what runs is not what it says");
});

import { ChildProcess } from "node:child_process";
import { subscribe } from "node:diagnostics_channel";
import { expect, test } from "vitest";
import { openProgramChecker } from "./program-checker.ts";
import { makeProject } from "./test-process.ts";

/** The processes that were started here. */
const children: ChildProcess[] = [];
subscribe("child_process", (message) => {
  const child: unknown = Reflect.get(Object(message), "process");
  if (child instanceof ChildProcess) children.push(child);
});

const declarations = "declare const tools: { a(input: { n: number }): Promise<number> };";

/** What is wrong with a program that stands in an async function. */
async function check(code: string) {
  const checker = await openProgramChecker();
  return checker?.check(declarations, `export default async () => {\n${code}\n};\n`);
}

test("mistakes have their places, in order", async () => {
  expect(await check("const x: string = 1;\ntools.a({ n: 1 });\nreturn y;")).toEqual([
    { start: 35, end: 36, text: "Type 'number' is not assignable to type 'string'." },
    { start: 50, end: 67, text: "This call is not awaited. Did you forget to use 'await'?" },
    { start: 76, end: 77, text: "Cannot find name 'y'." },
  ]);
  expect(await check("return await tools.a({ n: 1 });")).toEqual([]);
});

test("types without an end are a mistake, and hold up neither this process nor the next program", async () => {
  let turns = 0;
  const timer = setInterval(() => turns++, 50);
  const endless =
    "type P<A, B> = A extends any ? B extends any ? [A, B] : never : never; type U = 0|1|2|3|4|5|6|7|8|9;" +
    "type A1 = P<U, U>; type A2 = P<A1, A1>; type A3 = P<A2, A2>; const x: A3 = 1; return x";
  const [slow, next] = await Promise.all([check(endless), check("return await tools.a({ m: 1 });")]);
  clearInterval(timer);
  expect(slow?.map(({ text }) => text)).toEqual([
    "The types of the program take too long to check. Write simpler ones.",
  ]);
  expect(next?.[0]?.text).toContain("'m' does not exist");
  expect(turns).toBeGreaterThan(10);
}, 60_000);

test.each([
  ["brackets", `return ${"[".repeat(50_000)}${"]".repeat(50_000)}`],
  ["calls", "tools.a({ n: 1 }); ".repeat(5_000)],
  ["statements", `let x = 1; ${"x = x + 1; ".repeat(15_000)} return x;`],
])(
  "a program of thousands of %s gets its answer, and the next one, too",
  { timeout: 60_000 },
  async (_, code) => {
    expect(await check(code)).toBeDefined();
    expect(await check("return await tools.a({ n: 1 });")).toEqual([]);
  },
);

test("half a character in a program is a character like others", async () => {
  expect(await check('return "\ud83d" + await tools.a({ n: 1 });')).toEqual([]);
  expect((await check('return "\ud83d" + x;'))?.[0]).toEqual({
    start: 42,
    end: 43,
    text: "Cannot find name 'x'.",
  });
});

test("programs are checked by another process where TypeScript's dies between two checks, or during one", async () => {
  const wrong = async () => (await check("return await tools.a({ m: 1 });"))?.[0]?.text;
  expect(await wrong()).toContain("'m' does not exist");
  children.at(-1)?.kill("SIGKILL");
  expect(await wrong()).toContain("'m' does not exist");
  const before = children.length;
  const checked = wrong();
  await Promise.resolve();
  children.at(-1)?.kill("SIGKILL");
  expect(await checked).toContain("'m' does not exist");
  expect(children.length).toBeGreaterThan(before);
}, 60_000);

test("a process that ends while TypeScript starts leaves no process that holds its output", async () => {
  const project = makeProject({
    "main.ts": `import { subscribe } from "node:diagnostics_channel";
import { openProgramChecker } from ${JSON.stringify(new URL("program-checker.ts", import.meta.url).href)};
subscribe("child_process", () => setTimeout(() => { console.log("1"); process.exit(0); }, Number(process.env.WAIT)));
void (await openProgramChecker())?.check("", "export default 1;");
setInterval(() => {}, 1_000);`,
  });
  // It returns once no process has its output open.
  for (const WAIT of ["0", "20", "60"]) expect(await project.run({ WAIT })).toBe(1);
  project.remove();
}, 60_000);

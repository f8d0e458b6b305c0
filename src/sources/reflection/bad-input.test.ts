import { existsSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import { makeProject, reflection, type Project } from "./test-process.ts";

// Each program tries, mends what is wrong while it runs, and tries again.

let project: Project | undefined;

afterEach(() => {
  project?.remove();
  project = undefined;
});

const preamble = `
import { rmSync, writeFileSync, readFileSync } from "node:fs";
import { describeFunctions } from ${JSON.stringify(reflection)};
const path = (name: string): string => new URL(name, import.meta.url).pathname;
const answers: unknown[] = [];
async function attempt(...functions: Function[]): Promise<void> {
  for (const each of await describeFunctions(functions)) {
    answers.push(each instanceof Error ? each.message : each.inputSchema.properties);
  }
}
process.on("exit", () => console.log(JSON.stringify(answers)));
`;

/** Runs a program beside `tools.ts`, and gives back what it was told: messages, and properties of schemas. */
async function attempts(files: Readonly<Record<string, string>>, program: string): Promise<unknown> {
  project = makeProject({ ...files, "main.ts": preamble + program });
  return project.run();
}

const weather = "export function weather(city: string) {\n  return city;\n}\n";
const text = { type: "string" };

test("a syntax error is shown as TypeScript sees it, and the mended file is read", async () => {
  const answers = await attempts(
    { "tools.ts": weather },
    `
const { weather } = await import("./tools.ts");
const mended = readFileSync(path("tools.ts"), "utf8");
writeFileSync(path("tools.ts"), mended + "const = 1;\\n");
await attempt(weather);
writeFileSync(path("tools.ts"), mended);
await attempt(weather);
`,
  );
  expect(answers).toEqual([
    expect.stringMatching(
      /^No schema is found for the function "weather" in .*tools\.ts: TypeScript cannot read it, for line 4, column 7 is wrong \(.+\): mend it and try again/,
    ),
    { city: text },
  ]);
});

test("a type that does not exist is named with its line, and the mended file is read", async () => {
  const answers = await attempts(
    { "tools.ts": weather.replace("string", "Strng") },
    `
const { weather } = await import("./tools.ts");
await attempt(weather);
writeFileSync(path("tools.ts"), ${JSON.stringify(weather)});
await attempt(weather);
`,
  );
  expect(answers).toEqual([
    expect.stringMatching(
      /parameter "city": .*Strng.*tools\.ts:1[^]*Cannot find name 'Strng'\.? .*\(tools\.ts:1\)/,
    ),
    { city: text },
  ]);
});

test("a module that is missing is named, and found once it is there", async () => {
  const answers = await attempts(
    { "tools.ts": 'import type { City } from "./city.ts";\n' + weather.replace("string", "City") },
    `
const { weather } = await import("./tools.ts");
await attempt(weather);
writeFileSync(path("city.ts"), "export type City = 'Paris' | 'Rome';");
await attempt(weather);
`,
  );
  expect(answers).toEqual([
    expect.stringMatching(/parameter "city"[^]*Cannot find module '\.\/city\.ts'.*\(tools\.ts:1\)/),
    { city: { type: "string", enum: ["Paris", "Rome"] } },
  ]);
});

test("code without a file is a named error; others beside it are found", async () => {
  const answers = await attempts(
    { "tools.ts": weather },
    `
const { weather } = await import("./tools.ts");
const evaluated = (0, eval)("(city) => city");
const named = (0, eval)("(city) => city\\n//# sourceURL=evaluated.js");
await attempt(evaluated, named, new Function("city", "return city"), weather);
`,
  );
  const message = expect.stringMatching(/: its code comes from no file \(eval.*\): write it into a file/);
  expect(answers).toEqual([message, message, message, { city: text }]);
});

test("two functions on one line are told apart by their columns", async () => {
  const answers = await attempts(
    { "tools.ts": "export const tools = [(city: string) => city, (city: number) => city];\n" },
    'const { tools } = await import("./tools.ts");\nawait attempt(...tools);\n',
  );
  expect(answers).toEqual([{ city: text }, { city: { type: "number" } }]);
});

test.each([
  {
    change: "another body",
    changed: "export function weather(city: string) {\n  return city + city.length;\n}\n",
  },
  { change: "another parameter", changed: "export function weather(town: string) {\n  return town;\n}\n" },
  { change: "another name", changed: "export function climate(city: string) {\n  return city;\n}\n" },
])(
  "a file changed after it was loaded ($change) is an error until it says what runs",
  async ({ changed }) => {
    const answers = await attempts(
      { "tools.ts": weather },
      `
const { weather } = await import("./tools.ts");
const loaded = readFileSync(path("tools.ts"), "utf8");
writeFileSync(path("tools.ts"), ${JSON.stringify(changed)});
await attempt(weather);
writeFileSync(path("tools.ts"), "// Of no weight.\\n" + loaded);
await attempt(weather);
`,
    );
    const outdated =
      /tools\.ts: it was changed after it was loaded, and what runs is not what it says: start the program again/;
    expect(answers).toEqual([expect.stringMatching(outdated), { city: text }]);
  },
);

test("a file that is gone is an error until it is back", async () => {
  const answers = await attempts(
    { "tools.ts": weather },
    `
const { weather } = await import("./tools.ts");
rmSync(path("tools.ts"));
await attempt(weather);
writeFileSync(path("tools.ts"), ${JSON.stringify(weather)});
await attempt(weather);
`,
  );
  expect(answers).toEqual([
    expect.stringMatching(/tools\.ts: the file is gone: put it back/),
    { city: text },
  ]);
});

test.skipIf(!existsSync("/proc/self/task"))(
  "a compiler that is killed between two tries is started again (where the system lists processes in /proc)",
  async () => {
    const answers = await attempts(
      { "tools.ts": `${weather}export const other = (town: string) => town;\n` },
      `
process.env.SKEIN_CACHE = "off";
const { weather, other } = await import("./tools.ts");
await attempt(weather);
const children = readFileSync(\`/proc/\${process.pid}/task/\${process.pid}/children\`, "utf8").trim().split(" ");
answers.push(children.length);
for (const child of children) process.kill(Number(child), "SIGKILL");
await attempt(other);
`,
    );
    expect(answers).toEqual([{ city: text }, 1, { town: text }]);
  },
);

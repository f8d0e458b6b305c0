import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newProject, skein } from "../skein-command.ts";

let folder: string;
beforeAll(async () => {
  folder = await newProject();
  await writeFile(join(folder, "app.ts"), app);
  await writeFile(join(folder, "late.ts"), late);
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs its agent while it is loaded. */
const app = `import { Agent, run } from "skein";

/** Get the weather in a city. */
export async function getWeather(city: string) {
  return \`18 degrees in \${city}\`;
}
export const weather = new Agent({ name: "Weather", tools: [getWeather] });
const { text } = await run(weather, 'What is the weather in "Paris"?');
console.log(text);
`;

/** Fails where no line of the file is on the stack. */
const late = `import { Agent } from "skein";
export const agent = new Agent({ name: "A" });
const error = new Error("too late");
error.stack = "Error: too late\\n    at process.processTicksAndRejections (node:internal/process/task_queues:104:5)";
throw error;
`;

test.each([
  { args: ["tools", "app.ts"], output: /^getWeather/ },
  { args: ["check", "app.ts"], output: /./ },
  { args: ["call", "app.ts", "getWeather", '{"city":"Oslo"}'], output: /18 degrees in Oslo/ },
])("skein $args.0 loads a file that runs its agent without a key", async ({ args, output }) => {
  const { stdout, stderr } = await skein(args, folder);
  expect(stderr).not.toMatch(/ModelNotFound|failed while it was loaded/);
  expect(stdout + stderr).toMatch(output);
  expect(stderr).toContain("offline stand-in");
});

test("a failure whose stack names only Node's own files is reported at the file", async () => {
  const { code, stderr } = await skein(["tools", "late.ts"], folder);
  expect(code).toBe(1);
  expect(stderr).toContain("too late");
  expect(stderr).toContain("late.ts:1:1");
  expect(stderr).not.toContain("task_queues");
});

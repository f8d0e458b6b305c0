import { once } from "node:events";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newProject, skein, startSkein } from "./skein-command.ts";

let folder: string;
beforeAll(async () => {
  folder = await newProject();
  await writeFile(join(folder, "weather.ts"), weather);
  await writeFile(join(folder, "desk.ts"), desk);
});
afterAll(() => rm(folder, { recursive: true }));

const weather = `/**
 * Get the weather in a city.
 * @param city - City name
 */
export function getWeather(city: string, unit: "celsius" | "fahrenheit" = "celsius") {
  return city + unit;
}
console.log("the module ran");
`;

const desk = `import { Agent, tool, toolkit } from "skein";

/** Greet a guest. */
export function greet(name: string) {
  return \`Hello, \${name}!\`;
}

/** Say goodbye to a guest. */
function leave(name: string) {
  return \`Goodbye, \${name}!\`;
}

class Bells {
  /** Ring the bell of a room. */
  ring(room: number) {
    return room;
  }
}

export const clock = tool({
  name: "clock",
  description: "Tell the time.",
  input: { type: "object", properties: {} },
  execute: () => "noon",
});
export const polite = tool(leave, { name: "farewell", strict: true });
export const bells = toolkit(new Bells());
const night = new Agent({ name: "Night", tools: [leave] });
export const desk = new Agent({ name: "Desk", tools: [greet, clock], handoffs: [night] });
export const limit = 3;
`;

async function file(name: string, source: string): Promise<string> {
  await writeFile(join(folder, name), source);
  return name;
}

test("--declarations prints what programs of code mode call", async () => {
  const { stdout, stderr, code } = await skein(["tools", "weather.ts", "--declarations"], folder);
  expect(stderr).toBe("");
  expect(stdout).toBe(`declare const tools: {
  /** Get the weather in a city. */
  getWeather(input: {
    /** City name */
    city: string;
    /** @default "celsius" */
    unit?: "celsius" | "fahrenheit";
  }): Promise<string>;
};
`);
  expect(code).toBe(0);
});

test("exported functions are listed from their source, without running the file", async () => {
  expect(await skein(["tools", "weather.ts"], folder)).toEqual({
    code: 0,
    stderr: "",
    stdout: [
      "getWeather -> string  weather.ts:5",
      "  Get the weather in a city.",
      "    city   string  City name",
      '    unit?  "celsius" | "fahrenheit" = "celsius"',
      "",
    ].join("\n"),
  });
});

test("--json gives name, description, schemas and source", async () => {
  const { stdout } = await skein(["tools", "weather.ts", "--json"], folder);
  expect(JSON.parse(stdout)).toMatchObject([
    {
      name: "getWeather",
      description: "Get the weather in a city.",
      inputSchema: { type: "object", required: ["city"] },
      source: { file: "weather.ts", line: 5 },
    },
  ]);
});

test("tools made at run time, toolkits and the tools of agents are listed, each once", async () => {
  const { stdout, stderr } = await skein(["tools", "desk.ts", "--json"], folder);
  expect(stderr).toBe("");
  const tools: { name: string; source: { line: number } }[] = JSON.parse(stdout);
  expect(tools.map(({ name, source }) => `${name}:${source.line}`)).toEqual([
    "greet:4",
    "clock:20",
    "farewell:9",
    "ring:27",
    "leave:9",
  ]);
});

describe("as a provider is sent them", () => {
  test.each([
    ["--openai", { type: "function", function: { name: "getWeather", parameters: { type: "object" } } }],
    ["--anthropic", { name: "getWeather", input_schema: { type: "object" } }],
    [
      "--google",
      { functionDeclarations: [{ name: "getWeather", parametersJsonSchema: { type: "object" } }] },
    ],
    ["--mcp", { name: "getWeather", inputSchema: { type: "object" } }],
  ])("%s", async (flag, shape) => {
    const { stdout } = await skein(["tools", "weather.ts", flag], folder);
    expect(JSON.parse(stdout)).toMatchObject([shape]);
  });
});

test("what cannot be expressed is shown with its line; the rest is listed all the same", async () => {
  const name = await file(
    "callback.ts",
    "/** Fine. */\nexport const fine = () => 1;\nexport const wait = (then: () => void) => then();\n",
  );
  const { code, stdout, stderr } = await skein(["tools", name, "--json"], folder);
  expect(JSON.parse(stdout)).toMatchObject([{ name: "fine" }]);
  expect(stderr).toContain("callback.ts:3:22 - error: parameter then: ");
  expect(stderr).toContain(
    "  3 | export const wait = (then: () => void) => then();\n    |                      ^^^^",
  );
  expect(code).toBe(1);
});

describe("bad input", () => {
  test("a missing file is named", async () => {
    const { code, stderr } = await skein(["tools", "nowhere.ts"], folder);
    expect(stderr).toBe("skein: nowhere.ts does not exist.\n");
    expect(code).toBe(1);
  });

  test.each(["tools", "check"])("is a file that is not a module, for skein %s", async (command) => {
    await file("notes", "some notes\n");
    const { code, stderr } = await skein([command, "notes"], folder);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^skein: notes is not a module\. Expected \.ts.*\n$/),
    ]);
  });

  test("a syntax error is shown at its place", async () => {
    const name = await file("broken.ts", "export function half(a: string {\n  return a;\n}\n");
    const { code, stdout, stderr } = await skein(["tools", name], folder);
    expect(stdout).toBe("");
    expect(stderr).toMatch(/^broken\.ts:1:32 - error: /);
    expect(stderr).toContain(
      "  1 | export function half(a: string {\n    |                                ^",
    );
    expect(code).toBe(1);
  });

  test("a file without tools says what could be one", async () => {
    const name = await file("empty.ts", "export const limit = 3;\nexport interface Nothing {}\n");
    const { code, stderr } = await skein(["tools", name], folder);
    expect(stderr).toBe(
      "No tools found in empty.ts. Skein looks for exports: functions, tool(...), toolkit(...) and agents, such as export const agent = new Agent({ ... }).\n",
    );
    expect(code).toBe(1);
    const beside = await skein(["tools", name, "weather.ts"], folder);
    expect(beside.stderr).toBe(stderr);
    expect(beside.code).toBe(0);
  });

  test("names an agent without tools, and does not fail", async () => {
    const name = await file(
      "writer.ts",
      'import { Agent } from "skein";\nexport const writer = new Agent({ name: "Writer" });\n',
    );
    const { code, stderr } = await skein(["tools", name], folder);
    expect(stderr).toBe("The agent Writer has no tools.\n");
    expect(code).toBe(0);
  });

  test("an export without a name of its own is named as exported", async () => {
    const name = await file(
      "wrapped.ts",
      "const wrap: any = (fn: any) => (...args: any[]) => fn(...args);\nexport const wrapped: any = wrap(() => 1);\nexport const list = [wrap(() => 2)];\n",
    );
    const { code, stderr } = await skein(["tools", name], folder);
    expect(stderr).toContain("wrapped.ts:2:14 - error: The export wrapped is a function without a name");
    expect(stderr).toContain("wrapped.ts:3:14 - error: list[0] is a function without a name");
    expect(code).toBe(1);
  });

  test("what a file prints goes to standard error", async () => {
    const name = await file("loud.ts", `console.log("loading");\n${desk}`);
    const { stdout, stderr } = await skein(["tools", name, "--json"], folder);
    expect(JSON.parse(stdout)).toHaveLength(5);
    expect(stderr).toBe("loading\n");
  });

  test("a module that throws is shown at the line that threw", async () => {
    const name = await file(
      "throws.ts",
      'export const made = make();\nfunction make(): object {\n  throw new Error("no database");\n}\n',
    );
    const { code, stderr } = await skein(["tools", name], folder);
    expect(stderr).toMatch(
      /^throws\.ts:3:9 - error: throws\.ts failed while it was loaded: Error: no database/,
    );
    expect(code).toBe(1);
  });

  test("two forms at once are refused", async () => {
    const { code, stderr } = await skein(["tools", "weather.ts", "--json", "--mcp"], folder);
    expect(stderr).toContain("cannot be used with");
    expect(code).toBe(1);
  });
});

describe("--watch", () => {
  test.each([
    [
      "a file that is only read",
      "watched.ts",
      (text: string) => `/** ${text} */\nexport const tell = () => 1;\n`,
    ],
    [
      "a file that has to be run",
      "watched-run.ts",
      (text: string) =>
        `import { tool } from "skein";\nexport const made = tool({ name: "tell", description: "${text}", input: { type: "object" }, execute: () => 1 });\n`,
    ],
  ])(
    "prints the tools again when they change: %s",
    async (_, name, source) => {
      await file(name, source("Tell the first thing."));
      const child = startSkein(["tools", name, "--watch"], folder);
      try {
        let shown = "";
        const seen = Promise.withResolvers<void>();
        child.stdout?.on("data", (data) => {
          shown += String(data);
          if (shown.includes("Tell the second thing.")) seen.resolve();
          else if (shown.includes("Tell the first thing.")) void file(name, source("Tell the second thing."));
        });
        child.once("exit", (code) => seen.reject(new Error(`the command ended with ${code}`)));
        await seen.promise;
        expect(shown.match(/^tell /gm)).toHaveLength(2);
      } finally {
        child.kill();
        if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
      }
    },
    120_000,
  );
});

test("compiled functions with declarations beside them have the types of those", async () => {
  const script = "/** Count items. */\nexport function count(sku, least = 1) { return sku + least; }\n";
  const types = "/** Count items. */\nexport declare function count(sku: string, least?: number): string;\n";
  await writeFile(join(folder, "compiled.js"), script);
  await writeFile(join(folder, "compiled.d.ts"), types);
  const { code, stdout } = await skein(["tools", "compiled.js"], folder);
  expect(stdout).toMatch(/^count -> string .*\n {2}Count items\.\n {4}sku +string\n {4}least\? +number\n/);
  expect(code).toBe(0);
});

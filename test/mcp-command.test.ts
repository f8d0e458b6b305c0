import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text as readAll } from "node:stream/consumers";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { fromSources, newProject, skein, startSkein } from "./skein-command.ts";

let folder: string;
beforeAll(async () => {
  folder = await newProject();
  await writeFile(join(folder, "weather.ts"), weather);
  await writeFile(join(folder, "desk.ts"), desk);
  await writeFile(join(folder, "nothing.ts"), "export const limit = 3;\n");
});
afterAll(() => rm(folder, { recursive: true }));

const weather = `console.log("the module ran");

/**
 * Get the weather in a city.
 * @param city - City name
 */
export async function getWeather(city: string): Promise<{ degrees: number }> {
  console.log("called for", city);
  process.stdout.write("straight to standard output");
  return { degrees: city.length };
}

/** Waits until it is told to stop. */
export function wait(): Promise<void> {
  return new Promise(() => undefined);
}
`;

const desk = `import { Agent } from "skein";

/** Greet a guest. */
function greet(name: string) {
  return \`Hello, \${name}!\`;
}
export const desk = new Agent({ name: "Front desk", description: "Greets guests.", tools: [greet] });
export default desk;
`;

/** The official client, with a server that it starts itself. */
async function start(
  files: readonly string[],
  mode: "legacy" | { readonly pin: string } = "legacy",
): Promise<{ readonly client: Client; readonly transport: StdioClientTransport; stderr(): string }> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...fromSources, "mcp", ...files],
    cwd: folder,
    stderr: "pipe",
  });
  let stderr = "";
  transport.stderr?.on("data", (chunk) => (stderr += String(chunk)));
  const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode } });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return { client, transport, stderr: () => stderr };
}

test.each(["legacy" as const, { pin: "2026-07-28" }])(
  "exports are served over standard input and output, and what they print goes elsewhere (%j)",
  async (mode) => {
    const { client, stderr } = await start(["weather.ts"], mode);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["getWeather", "wait"]);
    const answer = await client.callTool({ name: "getWeather", arguments: { city: "Paris" } });
    expect(answer.structuredContent).toEqual({ degrees: 5 });
    expect(stderr()).toContain("the module ran");
    expect(stderr()).toContain("called for Paris");
    expect(stderr()).toContain("straight to standard output");
  },
);

test("a call can be cancelled, and the server goes on", async () => {
  const { client } = await start(["weather.ts"]);
  const controller = new AbortController();
  const call = client.callTool({ name: "wait", arguments: {} }, { signal: controller.signal });
  controller.abort(new Error("enough"));
  await expect(call).rejects.toThrow("enough");
  expect((await client.listTools()).tools).toHaveLength(2);
});

test("an agent that is exported twice is one tool, and uses the stand-in without a model", async () => {
  const { client, stderr } = await start(["desk.ts", "weather.ts"]);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(["getWeather", "wait", "front_desk"]);
  const answer = await client.callTool({ name: "front_desk", arguments: { input: 'Greet "Ada"' } });
  expect(JSON.stringify(answer.content)).toContain("Hello, Ada!");
  expect(stderr()).toContain("keyword rules, not a language model");
});

test("skips lines that are not messages, and ends at the end of the input", async () => {
  const child = spawn(process.execPath, [...fromSources, "mcp", "weather.ts"], { cwd: folder });
  const out = readAll(child.stdout);
  const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
  child.stdin.write(`no message\n{"jsonrpc":"1.0"}\n${JSON.stringify(ping)}\n`);
  await once(child.stdout, "data");
  child.stdin.end();
  const [code] = await once(child, "exit");
  expect(code).toBe(0);
  const lines = (await out).trim().split("\n");
  expect(lines.map((line): unknown => JSON.parse(line))).toContainEqual({
    jsonrpc: "2.0",
    id: 1,
    result: {},
  });
});

test("--http serves until a signal ends the process", async () => {
  const child = startSkein(["mcp", "weather.ts", "--http", "0"], folder);
  if (!child.stderr) throw new TypeError("the command's output is not piped");
  let said = "";
  while (!said.includes("/mcp")) said += String((await once(child.stderr, "data"))[0]);
  const [url = ""] = /http:\S+/.exec(said) ?? [];
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  const answer = await client.callTool({ name: "getWeather", arguments: { city: "Rome" } });
  expect(answer.structuredContent).toEqual({ degrees: 4 });
  child.kill("SIGTERM");
  const [code] = await once(child, "exit");
  expect(code).toBe(0);
  await client.close();
});

test("reports what cannot be served in one line", async () => {
  expect(await skein(["mcp"], folder)).toMatchObject({
    code: 1,
    stdout: "",
    stderr: "skein: Say what to serve: skein mcp tools.ts\n",
  });
  expect(await skein(["mcp", "missing.ts"], folder)).toMatchObject({
    code: 1,
    stderr: "skein: missing.ts does not exist.\n",
  });
  expect((await skein(["mcp", "nothing.ts"], folder)).stderr).toBe(
    "skein: No tools found in nothing.ts. Skein looks for exports: functions, tool(...), toolkit(...) and agents, such as export const agent = new Agent({ ... }).\n",
  );
  expect((await skein(["mcp", "weather.ts", "--http", "many"], folder)).stderr).toContain(
    "Expected a number from 0 to 65535",
  );
  expect((await skein(["mcp", "weather.ts", "--host", "0.0.0.0"], folder)).stderr).toContain("--http PORT");
});

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Agent } from "../../../agent/agent.ts";
import { ConfigurationError } from "../../../errors.ts";
import { run } from "../../../run/run.ts";
import { ScriptedModel } from "../../../testing/scripted-model.ts";
import { mcp } from "./mcp.ts";
import { readConfig } from "./read-config.ts";
import { callTools, fixture, serveModern, textOf } from "./test-servers.ts";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "skein-mcp-"));
});

afterAll(() => rm(folder, { recursive: true }));

async function file(name: string, text: string): Promise<string> {
  await writeFile(join(folder, name), text);
  return join(folder, name);
}

const everyday = { command: process.execPath, args: [fixture("everyday-stdio.ts")] };
const scope = { context: {}, agent: undefined, messages: [] };
const values = {
  environment: { TOKEN: "t", EMPTY: "", HOME: "/home/ada" },
  inputs: { key: "k" },
  folder: "/work",
};

/** What is read of one server. */
function read(entry: unknown): unknown {
  return readConfig({ mcpServers: { one: entry } }, "the configuration", values, undefined).servers[0]?.[1];
}

test("the servers of a file are started, and a tool whose name is taken has its server's in front", async () => {
  const path = await file(
    "claude.json",
    JSON.stringify({ mcpServers: { first: everyday, second: everyday } }),
  );
  await using servers = mcp.config(path);
  expect([...servers.servers.keys()]).toEqual(["first", "second"]);
  const names = (await servers.tools(scope)).map(({ name }) => name);
  expect(names).toContain("add");
  expect(names).toContain("second_add");
  expect((await servers.tools(scope)).map(({ name }) => name)).toEqual(names);
  const results = await callTools(servers, ["pid"], ["second_pid"]);
  expect(new Set(results.map(textOf)).size).toBe(2);
});

test("a server that cannot be used stops no other, unless it is required", async () => {
  await using server = await serveModern();
  const config = { mcpServers: { broken: { command: "no-such-program" }, good: { url: server.url } } };
  await using servers = mcp.config(config);
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "add", arguments: { a: 1, b: 1 } }] }, "done"]);
  const { messages, warnings } = await run(new Agent({ name: "Adder", tools: [servers], model }), "Add");
  expect(messages).toContainEqual(
    expect.objectContaining({ result: expect.objectContaining({ structuredContent: { sum: 2 } }) }),
  );
  expect(warnings).toEqual([expect.stringMatching(/^The MCP server "broken" cannot be used/)]);
  await using strict = mcp.config(config, { servers: { broken: { required: true } } });
  await expect(strict.tools(scope)).rejects.toThrow('"broken" cannot be used');
  await using without = mcp.config(config, { only: ["good"], required: true });
  expect((await without.tools(scope)).length).toBeGreaterThan(0);
});

test("VS Code's form is read, with comments, inputs and files of variables", async () => {
  const env = await file("some.env", 'FROM_FILE="yes"\nTOKEN=overridden\n');
  const path = await file(
    "mcp.json",
    `\uFEFF{
      // what it asks for
      "inputs": [{ "type": "promptString", "id": "key" }],
      "servers": {
        "local": {
          "type": "stdio",
          "command": ${JSON.stringify(process.execPath)},
          "args": [${JSON.stringify(fixture("everyday-stdio.ts"))}], /* no // more */
          "envFile": ${JSON.stringify(env)},
          "env": { "TOKEN": "\${input:key}", "URL": "http://localhost//x", },
        },
        "off": { "disabled": true, "command": "no-such-program" },
      },
    }`,
  );
  await using servers = mcp.config(pathToFileURL(path), { inputs: { key: "k" } });
  expect([...servers.servers.keys()]).toEqual(["local"]);
  const names = textOf((await callTools(servers, ["environment"]))[0]).split(" ");
  expect(names).toEqual(expect.arrayContaining(["FROM_FILE", "TOKEN", "URL"]));
});

test.each([
  [
    { command: "run", env: { A: "${TOKEN}", B: 1, C: true, D: null } },
    { env: { A: "t", B: "1", C: "true" } },
  ],
  [
    { command: "run", args: ["--home=${userHome}", "${workspaceFolder}/x", 5] },
    { args: ["--home=/home/ada", "/work/x", "5"] },
  ],
  [
    { command: "${MISSING:-npx}", args: ["${EMPTY:-default}", "${env:TOKEN}"] },
    { command: "npx", args: ["default", "t"] },
  ],
  [
    { type: "http", url: "https://${TOKEN}.example", headers: { Authorization: "Bearer ${input:key}" } },
    { url: "https://t.example", headers: { Authorization: "Bearer k" } },
  ],
  [
    { type: "sse", url: "https://example.com" },
    { url: "https://example.com", type: "sse" },
  ],
  [{ serverUrl: "https://example.com" }, { url: "https://example.com" }],
  [{ httpUrl: "https://example.com" }, { url: "https://example.com" }],
])("what a server says of itself is read: %j", (entry, expected) => {
  expect(read(entry)).toMatchObject(expected);
});

test.each([
  [
    { mcpServers: { one: { args: [] } } },
    'The server "one" of the configuration has neither "command" nor "url", only args.',
  ],
  [{ mcpServers: { one: "npx" } }, 'The server "one" of the configuration must be an object.'],
  [{ mcpServers: { one: { command: 5 } } }, "has a command that is not a string"],
  [{ mcpServers: { one: { command: "x", args: "y" } } }, "has args that are not an array"],
  [{ mcpServers: { one: { command: "x", env: ["y"] } } }, "has env that is not an object"],
  [
    { mcpServers: { one: { command: "x", env: { A: "${NOT_SET}" } } } },
    "refers to ${NOT_SET}, which has no value",
  ],
  [{ mcpServers: { one: { command: "${input:key}" } } }, 'give inputs: { "key": "..." }'],
  [{ mcpServers: { one: { url: "localhost:3000" } } }, 'url of the server "one" of the configuration is'],
  [{}, 'has no "mcpServers"'],
  [[], 'has no "mcpServers"'],
])("a configuration that cannot be used is refused: %j", (config, words) => {
  expect(() => mcp.config(config, { variables: {} })).toThrow(ConfigurationError);
  expect(() => mcp.config(config, { variables: {} })).toThrow(words);
});

test("rejects a command with its arguments in one text, and names the right option", async () => {
  await using servers = mcp.config({ mcpServers: { one: { command: "no-such-program -y server" } } });
  const warnings: string[] = [];
  await servers.tools({ ...scope, warn: (message) => void warnings.push(message) });
  expect(warnings).toEqual([
    'The MCP server "one" cannot be used: spawn no-such-program -y server ENOENT. Arguments of the command belong in args.',
  ]);
});

test("files that cannot be read and names that no server has are named", async () => {
  expect(() => mcp.config(join(folder, "nothing.json"))).toThrow(/nothing\.json cannot be read: .*ENOENT/);
  const broken = await file("broken.json", "{ mcpServers: ");
  expect(() => mcp.config(broken)).toThrow("broken.json cannot be read");
  const commented = await file("commented.json", '{ /* two\nlines */ "mcpServers": {\n"one" 5 } }');
  expect(() => mcp.config(commented)).toThrow("(line 3 column 7)");
  const config = { mcpServers: { one: { command: "x" } } };
  expect(() => mcp.config(config, { only: ["two"] })).toThrow('no server "two", only: one.');
  expect(() => mcp.config(config, { servers: { two: {} } })).toThrow('no server "two", only: one.');
  expect(() => mcp.config(config, { requird: true } as never)).toThrow('Did you mean "required"?');
});

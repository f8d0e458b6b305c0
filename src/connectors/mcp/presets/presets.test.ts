import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { Agent, ConfigurationError, run } from "skein";
import { preset, presets, presetTable, type McpToolset, type PresetName } from "skein/mcp";
import { ScriptedModel } from "skein/testing";
import { presetSettings } from "./settings.ts";

const standIn = fileURLToPath(new URL("./fixtures/stand-in.js", import.meta.url));
const names = Object.keys(presetTable) as PresetName[];

/** A folder with stand-ins for npx and uvx, in which the credentials of tests lie too. */
let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "skein-presets-")));
  const script = `#!/bin/sh\nexec "${process.execPath}" "${standIn}" "$0" "$@"\n`;
  for (const command of ["npx", "uvx"]) await writeFile(join(folder, command), script, { mode: 0o755 });
  await writeFile(join(folder, "credentials.json"), "{}");
});
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(() => {
  vi.stubEnv("PATH", folder);
  vi.stubEnv("UNRELATED_SECRET", "not for servers");
  for (const { variables = {} } of Object.values(presetTable)) {
    for (const name of Object.keys(variables)) vi.stubEnv(name, undefined);
  }
});
afterEach(() => void vi.unstubAllEnvs());

interface Told {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** How the server of a preset was started, as it tells an agent. */
async function toldBy(server: McpToolset): Promise<Told> {
  await using tools = server;
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "told" }] }, "Done."]);
  const { messages } = await run(
    new Agent({ name: "Asker", model, tools: [tools] }),
    "How were you started?",
  );
  const answer = messages.find((message) => message.role === "tool");
  const [part] = answer?.result.content ?? [];
  return JSON.parse(part?.type === "text" ? part.text : "") as Told;
}

/** What the variables of the presets are in these tests. */
const environment = {
  GDRIVE_CREDENTIALS_PATH: () => join(folder, "credentials.json"),
  // Too short to be hidden where the server sends it back.
  MINIMAX_API_KEY: () => "mm-key",
  MINIMAX_API_HOST: () => "https://api.minimax.io",
  MINIMAX_MCP_BASE_PATH: () => "/srv/media",
  ACI_API_KEY: () => "aci-key",
  LINKED_ACCOUNT_OWNER_ID: () => "ada",
  MEMORY_FILE_PATH: () => "/srv/memory.jsonl",
};

describe("a preset starts its server", () => {
  test.each([
    [
      "filesystem",
      () => presets.filesystem(folder, tmpdir()),
      "npx",
      () => ["-y", "@modelcontextprotocol/server-filesystem", folder, tmpdir()],
    ],
    ["memory", presets.memory, "npx", () => ["-y", "@modelcontextprotocol/server-memory"]],
    ["everything", presets.everything, "npx", () => ["-y", "@modelcontextprotocol/server-everything"]],
    [
      "playwright",
      () => presets.playwright({ args: ["--headless"] }),
      "npx",
      () => ["-y", "@playwright/mcp@latest", "--headless"],
    ],
    ["notion", presets.notion, "npx", () => ["-y", "mcp-remote", "https://mcp.notion.com/mcp"]],
    ["googleDrive", presets.googleDrive, "npx", () => ["-y", "@modelcontextprotocol/server-gdrive"]],
    ["minimax", presets.minimax, "uvx", () => ["minimax-mcp", "-y"]],
    ["aci", presets.aci, "uvx", () => ["aci-mcp", "unified-server", "--linked-account-owner-id", "ada"]],
  ] as const)("%s", async (name, start, command, args) => {
    const mine = Object.keys(presetTable[name].variables ?? {});
    const values = Object.entries(environment).map(([variable, value]) => [variable, value()] as const);
    for (const [variable, value] of values) vi.stubEnv(variable, value);
    const told = await toldBy(start());
    expect(told.command).toBe(command);
    expect(told.args).toEqual(args());
    const inEnvironment = new Set(mine.filter((variable) => variable !== "LINKED_ACCOUNT_OWNER_ID"));
    const expected = values.filter(([variable]) => inEnvironment.has(variable));
    expect(Object.entries(told.env).filter(([variable]) => variable in environment)).toEqual(
      expect.arrayContaining(expected.map(([...entry]) => entry)),
    );
    const strays = Object.keys(told.env).filter(
      (variable) =>
        variable === "UNRELATED_SECRET" || (variable in environment && !inEnvironment.has(variable)),
    );
    expect(strays).toEqual([]);
  });

  test("with configured values instead of the environment's, and a working folder", async () => {
    vi.stubEnv("MINIMAX_API_KEY", "from-environment");
    const told = await toldBy(
      presets.minimax({ env: { MINIMAX_API_KEY: "given", HTTPS_PROXY: "http://proxy:8080" }, cwd: folder }),
    );
    expect(told.env).toMatchObject({ MINIMAX_API_KEY: "given", HTTPS_PROXY: "http://proxy:8080" });
    expect(told.cwd).toBe(folder);
  });

  test("with what the network of this machine asks for", async () => {
    vi.stubEnv("HTTPS_PROXY", "http://proxy:8080");
    vi.stubEnv("NODE_EXTRA_CA_CERTS", "/etc/company.pem");
    vi.stubEnv("UV_DEFAULT_INDEX", "https://pypi.example");
    const told = await toldBy(presets.everything());
    expect(told.env).toMatchObject({
      HTTPS_PROXY: "http://proxy:8080",
      NODE_EXTRA_CA_CERTS: "/etc/company.pem",
    });
    expect(told.env).not.toHaveProperty("UV_DEFAULT_INDEX");
  });

  test("and relative folders and files are those of this process", () => {
    expect(presetSettings("filesystem", { args: ["."] })).toMatchObject({
      args: ["-y", "@modelcontextprotocol/server-filesystem", process.cwd()],
    });
    expect(presetSettings("memory", { env: { MEMORY_FILE_PATH: "memory.jsonl" } })).toMatchObject({
      env: { MEMORY_FILE_PATH: join(process.cwd(), "memory.jsonl") },
    });
  });
});

test("sends the token to GitHub's server, and starts no program", () => {
  vi.stubEnv("GITHUB_PERSONAL_ACCESS_TOKEN", "github_pat_1");
  expect(presetSettings("github", { required: true, timeout: 5_000 })).toEqual({
    name: "github",
    url: "https://api.githubcopilot.com/mcp/",
    headers: { authorization: "Bearer github_pat_1" },
    required: true,
    timeout: 5_000,
  });
  expect(() => preset("github", { args: ["--read-only"] })).toThrow(/takes no args/);
  expect(() => preset("github", { cwd: "/" })).toThrow(/takes no cwd/);
});

test("the server is called as its preset, or as it is named", () => {
  expect(presets.everything().name).toBe("everything");
  expect(presets.everything({ name: "try" }).name).toBe("try");
});

describe("reports a preset's missing settings at creation", () => {
  function expectLack(make: () => unknown, code: string, data: object, words: RegExp): void {
    let error: unknown;
    try {
      make();
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error).toMatchObject({ code, data });
    expect((error as Error).message).toMatch(words);
  }

  test.each([
    ["googleDrive", "GDRIVE_CREDENTIALS_PATH", /server-gdrive auth/],
    ["minimax", "MINIMAX_API_KEY", /https:\/\/www\.minimax\.io/],
    ["github", "GITHUB_PERSONAL_ACCESS_TOKEN", /https:\/\/github\.com\/settings/],
    ["aci", "ACI_API_KEY", /https:\/\/platform\.aci\.dev/],
  ] as const)("%s: the variable %s, and where to get it", (name, variable, where) => {
    for (const value of [undefined, ""]) {
      vi.stubEnv(variable, value);
      expectLack(presets[name], "missing-variable", { preset: name, variable }, where);
      expectLack(
        presets[name],
        "missing-variable",
        { variable },
        new RegExp(`presets\\.${name}: ${variable} is not set`),
      );
      expectLack(
        presets[name],
        "missing-variable",
        { variable },
        new RegExp(`See ${presetTable[name].docs}$`),
      );
    }
  });

  test("a variable that stands in an argument", () => {
    expectLack(
      () => presets.aci({ env: { ACI_API_KEY: "key" } }),
      "missing-variable",
      { variable: "LINKED_ACCOUNT_OWNER_ID" },
      /whose accounts are used/,
    );
  });

  test("a file of credentials that is not there", () => {
    const file = join(folder, "gone.json");
    const make = () => presets.googleDrive({ env: { GDRIVE_CREDENTIALS_PATH: file } });
    expectLack(make, "missing-file", { file }, /names no file.*server-gdrive auth/);
  });

  test.each([
    ["minimax", "uvx", /docs\.astral\.sh\/uv/],
    ["playwright", "npx", /nodejs\.org/],
  ] as const)("%s: the command %s, and where to get it", (name, command, where) => {
    vi.stubEnv("PATH", "/nowhere");
    const make = () => presets[name]({ env: { MINIMAX_API_KEY: "key" } });
    expectLack(make, "missing-command", { preset: name, command }, where);
  });

  test("a command that is there and may not be started", async () => {
    const locked = join(folder, "locked");
    await writeFile(locked, "");
    vi.stubEnv("PATH", locked);
    expectLack(presets.everything, "missing-command", { command: "npx" }, /the command npx is not there/);
  });

  test("folders", () => {
    expectLack(
      presets.filesystem,
      "missing-argument",
      { argument: "folder" },
      /presets\.filesystem\(folder, \.\.\.\)/,
    );
    const gone = join(folder, "gone");
    expectLack(
      () => presets.filesystem(folder, gone),
      "missing-file",
      { file: gone },
      /the folder .* does not exist/,
    );
  });

  test("an unknown preset", () => {
    expectLack(() => preset("googledrive" as PresetName), "invalid-option", {}, /Did you mean "googleDrive"/);
    expectLack(
      () => preset("__proto__" as PresetName),
      "invalid-option",
      {},
      /There are: filesystem, memory/,
    );
  });

  test("an unknown option", () => {
    expectLack(
      () => presets.everything({ headless: true } as object),
      "invalid-option",
      {},
      /no option "headless"/,
    );
  });
});

test("every preset names its documentation, and every required variable where to get it", () => {
  expect(names).toHaveLength(9);
  for (const name of names) {
    const { docs, about, command, url, variables = {} } = presetTable[name];
    expect(docs).toMatch(/^https:\/\//);
    expect(about).toMatch(/\.$/);
    expect([command, url].filter(Boolean)).toHaveLength(1);
    for (const { isRequired, from } of Object.values(variables)) expect(isRequired && !from).toBeFalsy();
  }
});

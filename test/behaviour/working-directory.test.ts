/** Relative paths count from where a program was when it passed them: a tool may change the working directory later. */
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { generate } from "skein";
import { fileTokens, mcp } from "skein/mcp";
import { FunctionModel, record } from "skein/testing";
import { callTools, fixture } from "../../src/connectors/mcp/client/test-servers.ts";
import { temporaryFolder } from "../../src/sessions/test-stores.ts";

const folder = temporaryFolder();
const start = process.cwd();
beforeEach(async () => {
  await mkdir(join(folder, "elsewhere"), { recursive: true });
  process.chdir(folder);
});
afterEach(() => process.chdir(start));

test("a recording is written there", async () => {
  const model = record(new FunctionModel(() => "Hello."), "recordings/hello.jsonl");
  process.chdir("elsewhere");
  await generate(model, "Hi");
  expect(existsSync(join(folder, "recordings/hello.jsonl"))).toBe(true);
});

test("tokens are written and read there", async () => {
  const store = fileTokens("tokens.json");
  await store.set("a", "b");
  process.chdir("elsewhere");
  expect(await store.get("a")).toBe("b");
});

test("an MCP server starts there, however late, and its lock is there", async () => {
  process.chdir(fixture("."));
  const program = { command: process.execPath, args: ["everyday-stdio.ts"] };
  const tools = mcp(program);
  process.chdir(folder);
  const locked = mcp({ ...program, cwd: fixture("."), lockFile: "near.json" });
  process.chdir("elsewhere");
  const calls = [tools, locked].map((each) => callTools(each, ["add", { a: 1, b: 2 }]));
  for (const [result] of await Promise.all(calls)) expect(result).toMatchObject({ isError: false });
  expect(existsSync(join(folder, "near.json"))).toBe(true);
  await Promise.all([tools.close(), locked.close()]);
});

import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newProject, skein } from "./skein-command.ts";

const server = fileURLToPath(
  new URL("../src/connectors/mcp/client/fixtures/everyday-stdio.ts", import.meta.url),
);

const calculator = `import { Agent, toolset } from "skein";
import { mcp } from "skein/mcp";

const everyday = mcp({ name: "everyday", command: process.execPath, args: [${JSON.stringify(server)}] });
export const agent = new Agent({ name: "Calculator", tools: [toolset(everyday).filtered(["add"])] });
`;

const broken = `import { mcp } from "skein/mcp";

export const gone = mcp({ name: "gone", command: "no-such-program" });
`;

let folder: string;
beforeAll(async () => {
  folder = await newProject();
  await writeFile(join(folder, "calculator.ts"), calculator);
  await writeFile(join(folder, "broken.ts"), broken);
});
afterAll(() => rm(folder, { recursive: true }));

interface Lock {
  readonly origins: Readonly<Record<string, Readonly<Record<string, { readonly fingerprint: string }>>>>;
}

async function readLock(): Promise<Lock> {
  return JSON.parse(await readFile(join(folder, "skein.lock.json"), "utf8"));
}

test("check --lock pins the servers of a module, also within other toolsets, and check reports changes", async () => {
  const locked = await skein(["check", "--lock", "calculator.ts"], folder);
  expect(locked.stdout).toContain("skein.lock.json written, with the MCP server everyday.");
  const lock = await readLock();
  expect(Object.keys(lock.origins)).toEqual(["calculator.ts", "mcp:everyday"]);
  expect(Object.keys(lock.origins["mcp:everyday"] ?? {})).toContain("grow");

  const { add, ...others } = lock.origins["mcp:everyday"] ?? {};
  const origins = { ...lock.origins, "mcp:everyday": { ...others, gone: add } };
  await writeFile(join(folder, "skein.lock.json"), JSON.stringify({ ...lock, origins }));
  const { stdout, code } = await skein(["check", "calculator.ts"], folder);
  expect(stdout).toContain('The tool "add" of the MCP server "everyday" is new since it was first trusted.');
  expect(stdout).toContain('The MCP server "everyday" has no tool "gone" any more');
  expect(code).toBe(0);
});

test.each(["tools", "check"])("%s fails for a server that is not there, and says why", async (command) => {
  const { stdout, stderr, code } = await skein([command, "broken.ts"], folder);
  expect(stdout + stderr).toContain('The MCP server "gone" cannot be used: spawn no-such-program ENOENT');
  expect(code).toBe(1);
});

test("call says which server is not there", async () => {
  const called = await skein(["call", "broken.ts#add", "{}"], folder);
  expect(called.stderr).toContain('warning: The MCP server "gone" cannot be used');
  expect(called.code).toBe(1);
});

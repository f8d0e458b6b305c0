import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Agent } from "../../../agent/agent.ts";
import type { ToolResult } from "../../../message/messages.ts";
import { run } from "../../../run/run.ts";
import { ScriptedModel } from "../../../testing/scripted-model.ts";
import { McpError } from "./errors.ts";
import { mcp } from "./mcp.ts";
import { callTools, fixture, textOf } from "./test-servers.ts";
import type { McpToolset } from "./toolset.ts";
import type { McpCommonOptions } from "./types.ts";

function misbehaving(
  mode: string,
  options: McpCommonOptions & { readonly env?: Readonly<Record<string, string>> } = {},
): McpToolset {
  return mcp({ command: process.execPath, args: [fixture("misbehaving.ts"), mode], name: mode, ...options });
}

/** The warnings and results of a run that calls one tool. */
async function runWith(
  tools: McpToolset,
  toolName = "act",
): Promise<{ warnings: readonly string[]; result: ToolResult | undefined }> {
  const model = new ScriptedModel([{ toolCalls: [{ toolName }] }, "done"]);
  const { warnings, messages } = await run(new Agent({ name: "Caller", tools: [tools], model }), "Go");
  const result = messages.flatMap((message) => (message.role === "tool" ? [message.result] : []))[0];
  return { warnings, result };
}

test("abandons a silent server at the deadline, and the run continues with a warning", async () => {
  await using tools = misbehaving("silent", { connectTimeout: 500 });
  const { warnings, result } = await runWith(tools);
  expect(warnings).toEqual(['The MCP server "silent" cannot be used: it did not answer within 500 ms.']);
  expect(result?.outcome).toBe("unknown-tool");
});

test("a run fails without a server that it requires", async () => {
  await using tools = misbehaving("crashes", { required: true });
  const failure = runWith(tools);
  await expect(failure).rejects.toThrow(McpError);
  await expect(failure).rejects.toThrow(/"crashes" cannot be used: .*exited with code 2.*\nmissing API_KEY/);
});

test("a missing program is named in the warning", async () => {
  await using tools = mcp({ command: "no-such-program-at-all" });
  const { warnings } = await runWith(tools);
  expect(warnings).toEqual([expect.stringMatching(/cannot be used: .*no-such-program-at-all.*ENOENT/)]);
});

test("restarts a server that ends at the revision request as an old one", async () => {
  await using tools = misbehaving("old");
  const { warnings, result } = await runWith(tools);
  expect(warnings).toEqual([]);
  expect(textOf(result)).toBe("act");
});

test("a server that dies during a call fails the call with its last output, without secrets", async () => {
  await using tools = misbehaving("dies", { env: { TOKEN: "t0p-s3cret" } });
  const [result] = await callTools(tools, ["act"]);
  expect(result?.outcome).toBe("error");
  expect(textOf(result)).toBe(
    'act failed: the MCP server "dies" ended the connection before it answered; the call may or may not have taken effect. It exited with code 3. The last it said:\ndisk on fire, token [redacted]',
  );
});

test("only a call that does no harm twice is made again after the server died", async () => {
  const folder = await mkdtemp(join(tmpdir(), "skein-mcp-"));
  const file = join(folder, "starts");
  await using tools = misbehaving("dies-once", { env: { STARTS: file }, protocol: "legacy" });
  const [act] = await callTools(tools, ["act"]);
  expect(act?.outcome).toBe("error");
  expect((await readFile(file, "utf8")).length).toBe(1);
  expect(textOf((await callTools(tools, ["act"]))[0])).toBe("act in start 2");
  await rm(file);
  await tools.close();
  expect(textOf((await callTools(tools, ["read"]))[0])).toBe("read in start 2");
  await rm(folder, { recursive: true });
});

test("a flood of notifications holds nothing up, and progress is passed on a thousand times at most", async () => {
  await using tools = misbehaving("flood");
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "act" }] }, "done"]);
  let reports = 0;
  const { messages } = await run(new Agent({ name: "Caller", tools: [tools], model }), "Go", {
    onEvent: ({ type }) => void (type === "tool-progress" && reports++),
  });
  expect(messages).toContainEqual(
    expect.objectContaining({
      result: expect.objectContaining({ content: [{ type: "text", text: "after the flood" }] }),
    }),
  );
  expect(reports).toBe(1_000);
});

test.each([
  ["invalid", "the server's answer is not valid JSON-RPC"],
  ["strange", "its answer is not what the protocol allows at "],
])("an answer that breaks the protocol is an error of its call: %s", async (mode, words) => {
  await using tools = misbehaving(mode);
  const [result] = await callTools(tools, ["act"]);
  expect(result?.outcome).toBe("error");
  expect(textOf(result)).toContain(words);
  expect((await tools.tools()).length).toBe(3);
});

test("of 5,000 tools the first thousand are taken, and the run warns", async () => {
  await using tools = misbehaving("many");
  const { warnings } = await runWith(tools, "tool_0");
  expect((await tools.tools()).length).toBe(1_000);
  expect(warnings).toEqual([
    'The MCP server "many" lists more than 1000 tools; only the first 1000 are taken. Raise maxTools, or use deferred() for large sets of tools.',
  ]);
  await using all = misbehaving("many", { maxTools: 10_000 });
  expect((await all.tools()).length).toBe(5_000);
});

test("abandons an endless list", async () => {
  await using tools = misbehaving("endless");
  const { warnings } = await runWith(tools);
  expect(warnings).toEqual([expect.stringContaining("exceeded listMaxPages (250)")]);
});

test("of two tools of one name the first is taken, and the run warns", async () => {
  await using tools = misbehaving("twins");
  const { warnings } = await runWith(tools, "one");
  expect((await tools.tools()).map(({ name, description }) => [name, description])).toEqual([
    ["one", "first"],
  ]);
  expect(warnings).toEqual(['The MCP server "twins" lists two tools "one"; only the first is taken.']);
});

test("a malformed tool is left out, and the run warns", async () => {
  await using tools = misbehaving("malformed");
  const { warnings, result } = await runWith(tools, "good");
  expect(textOf(result)).toBe("good");
  expect(warnings).toEqual([
    'The MCP server "malformed" lists a malformed tool "bad", which is left out.',
    'The MCP server "malformed" lists a malformed tool, which is left out.',
  ]);
});

test("a schema that cannot be used is replaced by any object, and never fetched", async () => {
  await using tools = misbehaving("schemas");
  const { warnings, result } = await runWith(tools, "refers");
  expect(textOf(result)).toBe("refers");
  expect(warnings.map((words) => /The tool "(\w+)"/.exec(words)?.[1])).toEqual(["deep", "refers", "long"]);
  for (const { inputSchema } of await tools.tools())
    expect(inputSchema.jsonSchema).toEqual({ type: "object" });
  expect(textOf((await callTools(tools, ["fine"]))[0])).toBe("fine");
});

test("names and descriptions come without invisible characters and no longer than they may be", async () => {
  await using tools = misbehaving("words");
  const [tool] = await tools.tools();
  expect(tool?.name).toBe("hidden");
  expect(tool?.description).toMatch(/^Reads files\.!+…$/);
  expect(tool?.description?.length).toBe(4_000);
  expect(tool?.inputSchema.jsonSchema).toMatchObject({ properties: { a: { description: "the[31m path" } } });
  expect((await callTools(tools, ["hidden"]))[0]?.outcome).toBe("success");
});

test("a result of 100 MB is an error of its call, and the server goes on", async () => {
  await using tools = misbehaving("huge");
  const [result] = await callTools(tools, ["act"]);
  expect(result?.outcome).toBe("error");
  expect(textOf(result)).toMatch(
    /the server's answer has 100\d{6} bytes, more than maxMessageBytes \(16777216\)/,
  );
  expect((await callTools(tools, ["act"]))[0]?.outcome).toBe("error");
});

test("a long result is cut, visibly", async () => {
  await using tools = misbehaving("large", { maxResultChars: 1_000 });
  const [result] = await callTools(tools, ["act"]);
  expect(result?.outcome).toBe("success");
  expect(textOf(result)).toMatch(/^x+\n\[999000 of 1000000 characters left out\]\nx+$/);
});

test("a call that is never answered ends at its deadline", async () => {
  await using tools = misbehaving("mute", { timeout: 200 });
  expect((await callTools(tools, ["act"]))[0]?.outcome).toBe("timeout");
});

test("a call that is answered too late has timed out, and the others get their own answers", async () => {
  await using tools = misbehaving("late", { timeout: 500 });
  expect((await callTools(tools, ["act"]))[0]?.outcome).toBe("timeout");
  for (let times = 0; times < 2; times++) expect(textOf((await callTools(tools, ["read"]))[0])).toBe("read");
});

test.each([
  ["answers each call twice", "twice"],
  ["answers calls that nobody made", "stranger"],
])("every call gets its own answer from a server that %s", async (_, mode) => {
  await using tools = misbehaving(mode);
  for (let times = 0; times < 3; times++) {
    const results = await callTools(tools, ["act"], ["read"]);
    expect(results.map((result) => [result.outcome, textOf(result)])).toEqual([
      ["success", "act"],
      ["success", "read"],
    ]);
  }
});

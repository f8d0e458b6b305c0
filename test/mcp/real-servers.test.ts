/** Servers that others publish, driven by agents: `@modelcontextprotocol/server-*` and Playwright's, with a real browser. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Agent, run, type RunEvent, stream, type ToolResult, toolset } from "skein";
import { mcp, type McpToolset, presets } from "skein/mcp";
import { type ScriptedToolCall, ScriptedModel, type TurnFunction } from "skein/testing";
import { findChromium, installServers, serversFolder } from "./servers.ts";

let programs: Awaited<ReturnType<typeof installServers>>;
let folder: string;
beforeAll(async () => {
  programs = await installServers();
  folder = await realpath(await mkdtemp(join(tmpdir(), "skein-servers-")));
}, 240_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Lets an agent make calls, one a turn, and gives back their results. */
async function callAll(
  tools: McpToolset,
  calls: readonly (ScriptedToolCall | TurnFunction)[],
): Promise<readonly ToolResult[]> {
  const turns = calls.map((call) => (typeof call === "function" ? call : { toolCalls: [call] }));
  const model = new ScriptedModel([...turns, "Done."]);
  const { messages, status, warnings } = await run(
    new Agent({ name: "Caller", model, tools: [tools] }),
    "Go",
  );
  expect({ status, warnings }).toEqual({ status: "completed", warnings: [] });
  model.assertComplete();
  return messages.flatMap((message) => (message.role === "tool" ? [message.result] : []));
}

function textOf(result: ToolResult | undefined): string {
  return (
    result?.content.map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join("\n") ?? ""
  );
}

const everyCall: readonly ScriptedToolCall[] = [
  { toolName: "echo", arguments: { message: "honk" } },
  { toolName: "get-sum", arguments: { a: 20, b: "22" } },
  { toolName: "get-structured-content", arguments: { location: "Chicago" } },
  { toolName: "get-tiny-image" },
  { toolName: "get-resource-links", arguments: { count: 2 } },
  { toolName: "get-annotated-message", arguments: { messageType: "error" } },
  { toolName: "get-sum", arguments: { a: "many" } },
];

function expectEverything(results: readonly ToolResult[]): void {
  const [echo, sum, structured, image, links, annotated, wrong] = results;
  expect(textOf(echo)).toContain("honk");
  expect(textOf(sum)).toContain("42");
  expect(structured?.structuredContent).toMatchObject({
    temperature: expect.any(Number),
    conditions: expect.any(String),
  });
  const picture = image?.content.find((part) => part.type === "image");
  expect(picture).toMatchObject({ mediaType: "image/png" });
  expect(textOf(links)).toMatch(/demo:\/\/resource/);
  expect(textOf(annotated)).toMatch(/error/i);
  expect(wrong).toMatchObject({ isError: true });
  expect(textOf(wrong)).toMatch(/\ba\b.*number/s);
}

describe("everything", () => {
  test("over stdio, as a preset", async () => {
    await using server = presets.everything({ cwd: serversFolder });
    expectEverything(await callAll(server, everyCall));
  });

  test("over stdio: progress comes as events", async () => {
    await using server = mcp({ command: process.execPath, args: [programs.everything] });
    const operation = { toolName: "trigger-long-running-operation", arguments: { duration: 0.3, steps: 3 } };
    const model = new ScriptedModel([{ toolCalls: [operation] }, "Done."]);
    const events: RunEvent[] = [];
    for await (const event of stream(new Agent({ name: "Waiter", model, tools: [server] }), "Go"))
      events.push(event);
    expect(events.filter(({ type }) => type === "tool-progress")).toHaveLength(3);
  });

  test("over stdio: resources and prompts", async () => {
    await using server = mcp({ command: process.execPath, args: [programs.everything] });
    const resources = await server.resources();
    expect(resources.length).toBeGreaterThan(3);
    const { contents } = await server.readResource(resources[0]?.uri ?? "");
    expect(contents).toHaveLength(1);
    const [prompt] = await server.prompts();
    expect((await server.getPrompt(prompt?.name ?? "")).messages.length).toBeGreaterThan(0);
  });

  test("over streamable HTTP", async () => {
    const port = await freePort();
    const child = spawn(process.execPath, [programs.everything, "streamableHttp"], {
      env: { ...process.env, PORT: String(port) },
      stdio: ["ignore", "ignore", "pipe"],
    });
    try {
      for await (const line of createInterface({ input: child.stderr })) if (/listening/i.test(line)) break;
      await using server = mcp({ url: `http://127.0.0.1:${port}/mcp` });
      expectEverything(await callAll(server, everyCall));
    } finally {
      child.kill("SIGKILL");
      await once(child, "exit");
    }
  });
});

test("filesystem: writes, reads and edits in its folder, and nowhere else", async () => {
  await using server = mcp({ command: process.execPath, args: [programs.filesystem, folder] });
  const path = join(folder, "geese.txt");
  const results = await callAll(server, [
    { toolName: "write_file", arguments: { path, content: "grey geese\n" } },
    { toolName: "edit_file", arguments: { path, edits: [{ oldText: "grey", newText: "white" }] } },
    { toolName: "read_text_file", arguments: { path } },
    { toolName: "list_directory", arguments: { path: folder } },
    { toolName: "read_text_file", arguments: { path: "/etc/passwd" } },
  ]);
  expect(await readFile(path, "utf8")).toBe("white geese\n");
  expect(results.map(({ outcome }) => outcome)).toEqual([
    "success",
    "success",
    "success",
    "success",
    "error",
  ]);
  expect(textOf(results[2])).toContain("white geese");
  expect(textOf(results[3])).toContain("geese.txt");
  expect(textOf(results[4])).toMatch(/denied|outside/i);
});

test("memory: what one process has learned, the next one knows", async () => {
  const env = { MEMORY_FILE_PATH: join(folder, "memory.jsonl") };
  const start = () => presets.memory({ env, cwd: serversFolder });
  const entity = { name: "Ada", entityType: "person", observations: ["writes programs"] };
  {
    await using server = start();
    const results = await callAll(server, [
      { toolName: "create_entities", arguments: { entities: [entity] } },
    ]);
    expect(results).toMatchObject([{ outcome: "success" }]);
  }
  await using server = start();
  const [found] = await callAll(server, [{ toolName: "search_nodes", arguments: { query: "programs" } }]);
  expect(found?.structuredContent).toMatchObject({ entities: [entity] });
});

test("one agent has the tools of several servers, and one that does not start leaves the others", async () => {
  const gone = mcp({ name: "gone", command: process.execPath, args: [join(folder, "no-such-server.js")] });
  await using tools = disposable([
    presets.everything({ cwd: serversFolder }),
    presets.memory({ cwd: serversFolder, env: { MEMORY_FILE_PATH: join(folder, "other.jsonl") } }),
    gone,
  ]);
  const model = new ScriptedModel([
    { toolCalls: [{ toolName: "echo", arguments: { message: "a" } }, { toolName: "read_graph" }] },
    "Done.",
  ]);
  const result = await run(new Agent({ name: "Caller", model, tools: tools.list }), "Go");
  const outcomes = result.messages.flatMap((message) =>
    message.role === "tool" ? [message.result.outcome] : [],
  );
  expect(outcomes).toEqual(["success", "success"]);
  expect(result.warnings.join()).toMatch(/gone/);
});

describe("playwright", () => {
  const page = `<!doctype html><title>Geese</title>
    <h1>Geese in flight</h1>
    <button onclick="output.textContent = Number(output.textContent) + 7">One more flock</button>
    <p>There are <output id="output">0</output> geese.</p>`;

  test("an agent opens a page, clicks and reads", { timeout: 300_000 }, async () => {
    const chromium = await findChromium();
    const site = createServer((_, response) => response.setHeader("content-type", "text/html").end(page));
    site.listen(0, "127.0.0.1");
    await once(site, "listening");
    const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
    await using browser = mcp({
      command: process.execPath,
      args: [programs.playwright, "--headless", "--isolated", "--no-sandbox", "--executable-path", chromium],
      cwd: folder,
    });
    // As a model does: it clicks what it saw in the last snapshot.
    const click: TurnFunction = async ({ messages }) => {
      const last = messages.at(-1);
      const target =
        last?.role === "tool" ? /button "One more flock" \[ref=(\w+)\]/.exec(textOf(last.result))?.[1] : "";
      expect(target).toBeTruthy();
      const args = { element: "the button", target: target ?? "" };
      return { toolCalls: [{ toolName: "browser_click", arguments: args }] };
    };
    try {
      const results = await callAll(browser, [
        { toolName: "browser_navigate", arguments: { url } },
        { toolName: "browser_snapshot" },
        click,
        { toolName: "browser_evaluate", arguments: { function: "() => output.textContent" } },
        { toolName: "browser_take_screenshot", arguments: { type: "png", scale: "css" } },
        { toolName: "browser_click", arguments: { target: "e999" } },
      ]);
      const [opened, snapshot, , read, picture, wrong] = results;
      expect(textOf(opened)).toContain("Page Title: Geese");
      expect(textOf(snapshot)).toContain("Geese in flight");
      expect(textOf(read)).toContain('"7"');
      expect(picture?.content.some((part) => part.type === "image")).toBe(true);
      expect(wrong).toMatchObject({ isError: true });
    } finally {
      site.closeAllConnections();
      site.close();
    }
  });
});

/** Toolsets that are closed at the end of a block. */
function disposable(list: readonly McpToolset[]): AsyncDisposable & { readonly list: readonly McpToolset[] } {
  return { list, [Symbol.asyncDispose]: () => toolset(list).close() };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}

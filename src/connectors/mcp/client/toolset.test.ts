import type { NodeStreamableHTTPServerTransport } from "@modelcontextprotocol/node";
import { InMemoryTransport } from "@modelcontextprotocol/client";
import { describe, expect, test } from "vitest";
import { Agent } from "../../../agent/agent.ts";
import { run, stream } from "../../../run/run.ts";
import { ScriptedModel } from "../../../testing/scripted-model.ts";
import type { ScriptedTurn } from "../../../testing/turn.ts";
import type { JsonObject } from "../../../base/util/json.ts";
import { everyday } from "./fixtures/everyday.ts";
import { mcp } from "./mcp.ts";
import {
  callTools,
  fixture,
  serveModern,
  serveSessions,
  serveSse,
  textOf,
  type LocalServer,
} from "./test-servers.ts";
import type { McpToolset } from "./toolset.ts";

const program = { command: process.execPath, args: [fixture("everyday-stdio.ts")] };

/** Every way to the same server. */
const ways: Readonly<Record<string, () => Promise<{ tools: McpToolset; server?: LocalServer }>>> = {
  "a program": async () => ({ tools: mcp(program) }),
  "a program, by the handshake of 2025": async () => ({ tools: mcp({ ...program, protocol: "legacy" }) }),
  "streamable HTTP of 2026": async () => {
    const server = await serveModern();
    return { server, tools: mcp({ url: server.url }) };
  },
  "streamable HTTP with sessions": async () => {
    const server = await serveSessions(new Map());
    return { server, tools: mcp({ url: server.url }) };
  },
  "server-sent events, where streamable HTTP is refused": async () => {
    const server = await serveSse();
    return { server, tools: mcp({ url: server.url }) };
  },
  "a transport in memory": async () => ({ tools: mcp({ transport: inMemory }) }),
};

function calls(toolName: string, args: JsonObject = {}): ScriptedTurn {
  return { toolCalls: [{ toolName, arguments: args }] };
}

async function inMemory(): Promise<InMemoryTransport> {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await everyday().connect(theirs);
  return ours;
}

describe.each(Object.entries(ways))("%s", (_, open) => {
  test("lists tools, and calls them with results of every kind", async () => {
    await using stack = new AsyncDisposableStack();
    const { tools, server } = await open();
    stack.use(server);
    stack.use(tools);
    const names = (await tools.tools()).map(({ name }) => name);
    expect(names).toEqual([
      "add",
      "fail",
      "rich",
      "count",
      "wait",
      "cancelled",
      "environment",
      "pid",
      "grow",
    ]);
    const [add, fail, rich, wrong] = await callTools(
      tools,
      ["add", { a: 1, b: 2 }],
      ["fail"],
      ["rich"],
      ["add", { a: "one", b: 2 }],
    );
    expect(add).toMatchObject({
      outcome: "success",
      structuredContent: { sum: 3 },
      content: [{ text: "3" }],
    });
    expect(fail).toMatchObject({ outcome: "error", isError: true, content: [{ text: "no such file" }] });
    expect(rich?.content).toEqual([
      { type: "text", text: "hello" },
      { type: "image", url: "data:image/png;base64,aGk=", mediaType: "image/png" },
      { type: "file", url: "data:audio/wav;base64,aGk=", mediaType: "audio/wav" },
      { type: "text", text: "[resource note: note:///1; text/plain; a note]" },
      { type: "text", text: "[resource note:///2]\ntwo" },
      {
        type: "file",
        url: "data:application/pdf;base64,aGk=",
        mediaType: "application/pdf",
        filename: "b.pdf",
      },
    ]);
    expect(wrong).toMatchObject({ outcome: "invalid-arguments" });
    expect(await tools.resources()).toMatchObject([{ uri: "note:///1" }]);
    expect(await tools.readResource("note:///1")).toMatchObject({ contents: [{ text: "one" }] });
    expect(await tools.prompts()).toMatchObject([{ name: "greet" }]);
    expect(await tools.getPrompt("greet", { who: "Ada" })).toMatchObject({
      messages: [{ role: "user", content: [{ type: "text", text: "Greet Ada" }] }],
    });
  });

  test("passes progress on as events, and cancellation to the server", async () => {
    await using stack = new AsyncDisposableStack();
    const { tools, server } = await open();
    stack.use(server);
    stack.use(tools);
    const count = async (): Promise<number> => Number(textOf((await callTools(tools, ["cancelled"]))[0]));
    const before = await count();
    const model = new ScriptedModel([calls("count", { to: 3 }), calls("wait")]);
    const running = stream(new Agent({ name: "Counter", tools: [tools], model }), "Count");
    const progress: unknown[] = [];
    for await (const event of running) {
      if (event.type !== "tool-progress") continue;
      progress.push(event.value);
      if (event.toolName === "wait") running.cancel();
    }
    expect(progress).toEqual([...[1, 2, 3].map((at) => ({ progress: at, total: 3 })), { progress: 0 }]);
    expect((await running.result).status).toBe("cancelled");
    await expect.poll(count).toBe(before + 1);
  });
});

test("a revision that is insisted on is the one that is spoken, or the server cannot be used", async () => {
  for (const protocol of ["2025-06-18", "2025-11-25", "2026-07-28"]) {
    await using tools = mcp({ ...program, protocol, required: true });
    expect((await tools.tools()).length).toBeGreaterThan(0);
  }
  const sessions = new Map();
  await using server = await serveSessions(sessions);
  await using tools = mcp({ url: server.url, protocol: "2026-07-28", required: true });
  await expect(tools.tools()).rejects.toThrow("cannot be used");
});

test("tools that the server adds are there at the next turn", async () => {
  await using tools = mcp(program);
  const before = await tools.tools();
  expect(await tools.tools()).toBe(before);
  const model = new ScriptedModel([calls("grow"), calls("grown"), "done"]);
  const { messages } = await run(new Agent({ name: "Gardener", tools: [tools], model }), "Grow");
  const results = messages.flatMap((message) => (message.role === "tool" ? [message.result] : []));
  expect(results.map(textOf)).toEqual(["grown", "new"]);
  const after = await tools.tools();
  expect(after.length).toBe(before.length + 1);
  expect(after.slice(0, before.length)).toEqual(before);
});

test("a server is connected to at the first run, once for all runs", async () => {
  await using server = await serveModern();
  await using tools = mcp({ url: server.url, headers: { "x-team": "blue" } });
  expect(server.requests).toEqual([]);
  const agent = (): Agent =>
    new Agent({
      name: "Adder",
      tools: [tools],
      model: new ScriptedModel([calls("add", { a: 1, b: 1 }), "two"]),
    });
  const results = await Promise.all([run(agent(), "Add"), run(agent(), "Add"), run(agent(), "Add")]);
  expect(results.map(({ text }) => text)).toEqual(["two", "two", "two"]);
  const connecting = server.headers.filter((headers) => headers["mcp-method"] === "server/discover");
  expect(connecting.length).toBe(1);
  expect(server.headers.every((headers) => headers["x-team"] === "blue")).toBe(true);
});

test("a session that the server has forgotten is opened again, and the call repeated once", async () => {
  const sessions = new Map<string, NodeStreamableHTTPServerTransport>();
  await using server = await serveSessions(sessions);
  await using tools = mcp({ url: server.url });
  expect(textOf((await callTools(tools, ["add", { a: 1, b: 1 }]))[0])).toBe("2");
  sessions.clear();
  expect(textOf((await callTools(tools, ["grow"]))[0])).toBe("grown");
  expect(sessions.size).toBe(1);
});

test("passes a program its configured variables and the harmless ones, and no others", async () => {
  process.env["SKEIN_TEST_SECRET"] = "hidden";
  await using tools = mcp({ ...program, env: { TOKEN: "given" } });
  const [result] = await callTools(tools, ["environment"]);
  delete process.env["SKEIN_TEST_SECRET"];
  const names = textOf(result).split(" ");
  expect(names).toContain("TOKEN");
  expect(names).toContain("PATH");
  expect(names).not.toContain("SKEIN_TEST_SECRET");
});

test("lets the model list and read resources if configured", async () => {
  await using tools = mcp({ ...program, resourceTools: true });
  const [list, read] = await callTools(tools, ["list_resources"], ["read_resource", { uri: "note:///1" }]);
  expect(list?.structuredContent).toEqual({
    resources: [{ uri: "note:///1", name: "note", description: "A note" }],
  });
  expect(textOf(read)).toBe("[resource note:///1]\none");
  const listed = await tools.tools();
  expect(await tools.tools()).toBe(listed);
});

test("a server that is closed is started again when it is needed", async () => {
  await using tools = mcp(program);
  const before = await tools.tools();
  await tools.close();
  expect(textOf((await callTools(tools, ["add", { a: 2, b: 2 }]))[0])).toBe("4");
  expect(await tools.tools()).toBe(before);
});

test.each([
  [undefined, "mcp() takes an object with one of command, url and transport, not undefined."],
  ["npx", 'not "npx".'],
  [{}, "not one with nothing."],
  [{ comand: "npx" }, "not one with comand."],
  [{ command: undefined }, "command of mcp() is undefined"],
  [{ command: "npx", args: "-y server" }, "args of mcp() must be a list of texts"],
  [{ command: "npx", timeout: "5s" }, 'timeout of mcp() is "5s". Expected a number above 0.'],
  [{ url: "localhost:3000/mcp" }, 'url of mcp() is "localhost:3000/mcp". Expected a complete URL'],
  [{ command: "node", url: "http://localhost" }, "command and url"],
  [{ url: undefined }, "url of mcp() is undefined"],
  [{ command: "node", concurrency: 0 }, "concurrency of mcp() is 0. Expected a number above 0."],
  [{ command: "node", timeout: Number.NaN }, "timeout of mcp() is NaN"],
  [{ command: "node", header: {} }, 'no option "header"'],
])("options that say nothing clear are refused: %j", (options, words) => {
  expect(() => mcp(options as never)).toThrow(words);
});

test.each([
  [{ command: "npx", args: ["-y", "@modelcontextprotocol/server-filesystem", "."] }, "filesystem"],
  [{ command: "npx", args: ["@playwright/mcp@latest"] }, "playwright"],
  [{ command: "/usr/bin/github-mcp-server", args: ["stdio"] }, "github"],
  [{ url: "https://mcp.notion.com/mcp" }, "notion_com"],
])("a server without a name gets one: %j", (options, name) => {
  expect(mcp(options).name).toBe(name);
});

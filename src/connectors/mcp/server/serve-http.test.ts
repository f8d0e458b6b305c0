import { describe, expect, test } from "vitest";
import { Agent } from "../../../agent/agent.ts";
import { result } from "../../../tool/result.ts";
import { tool } from "../../../tool/define.ts";
import { toolkit } from "../../../tool/toolkit.ts";
import { ToolRegistry } from "../../../tool/registry.ts";
import { FunctionModel } from "../../../testing/function-model.ts";
import { mcpContent } from "./mcp-content.ts";
import { mcpRequest } from "./mcp-request.ts";
import { connected, revisions, served } from "./test-clients.ts";
import type { McpRequest } from "./types.ts";

/** A point on a map. */
interface Point {
  readonly x: number;
  readonly y: number;
}

/**
 * Moves a point.
 * @param by - How far
 */
function move(point: Point, by = 1): Point {
  return { x: point.x + by, y: point.y + by };
}

/** Counts letters. */
function count(text: string): number {
  return text.length;
}

/** Says hello. */
function greet(name: string): string {
  return `Hello, ${name}!`;
}

/** Always fails. */
function fail(): string {
  throw new Error("The printer is on fire.");
}

class Bells {
  /** Ring the bell of a room. */
  ring(room: number): string {
    return `ring ${room}`;
  }
}

describe.each(revisions)("revision %s", (revision) => {
  test("lists functions, toolkits and agents with their schemas", async () => {
    const desk = new Agent({ name: "Front desk", description: "Answers guests." });
    const { url } = await served({ tools: [move, greet, toolkit(new Bells())], agents: [desk] });
    const { client } = await connected(url, revision);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["move", "greet", "ring", "front_desk"]);
    expect(tools[0]).toMatchObject({
      description: "Moves a point.",
      inputSchema: {
        type: "object",
        properties: { point: { type: "object" }, by: { type: "number", description: "How far", default: 1 } },
        required: ["point"],
      },
      outputSchema: { type: "object", properties: { x: { type: "number" }, y: { type: "number" } } },
    });
    expect(tools[1]).not.toHaveProperty("outputSchema");
    expect(tools[3]).toMatchObject({
      description: "Answers guests.",
      inputSchema: { required: ["input"] },
    });
  });

  test("gives structured content where the type of the result is known, and text where it is text", async () => {
    const { url } = await served({ tools: [move, greet] });
    const { client } = await connected(url, revision);
    await client.listTools();
    const moved = await client.callTool({ name: "move", arguments: { point: { x: 1, y: 2 } } });
    expect(moved).toMatchObject({
      content: [{ type: "text", text: '{"x":2,"y":3}' }],
      structuredContent: { x: 2, y: 3 },
    });
    const greeted = await client.callTool({ name: "greet", arguments: { name: "Ada" } });
    expect(greeted.content).toEqual([{ type: "text", text: "Hello, Ada!" }]);
    expect(greeted).not.toHaveProperty("structuredContent");
  });

  test("a result that is a number is structured as each revision allows", async () => {
    const { url } = await served({ tools: [count] });
    const { client } = await connected(url, revision);
    await client.listTools();
    const counted = await client.callTool({ name: "count", arguments: { text: "four" } });
    expect(counted.structuredContent).toEqual(revision === "2025-11-25" ? { result: 4 } : 4);
    expect(counted.content).toEqual([{ type: "text", text: "4" }]);
  });

  test("a result that does not match its output schema is a named error", async () => {
    const broken = tool({
      name: "broken",
      input: { type: "object" },
      output: { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] },
      execute: () => ({ total: 1 }),
    });
    const { url } = await served({ tools: [broken] });
    const { client } = await connected(url, revision);
    await client.listTools();
    const answer = await client.callTool({ name: "broken", arguments: {} });
    expect(answer.isError).toBe(true);
    expect(textOf(answer)).toContain("does not match its output schema");
  });

  test("wrong arguments and failures are results that a model can correct itself by", async () => {
    const { url } = await served({ tools: [move, fail] });
    const { client } = await connected(url, revision);
    const wrong = await client.callTool({ name: "move", arguments: { point: { x: 1 }, by: "far" } });
    expect(wrong.isError).toBe(true);
    expect(textOf(wrong)).toContain("$.by: expected a number");
    const failed = await client.callTool({ name: "fail", arguments: {} });
    expect(failed).toMatchObject({
      isError: true,
      content: [{ text: "fail failed: The printer is on fire." }],
    });
  });

  test("an unknown tool is an error of the protocol that names the available ones", async () => {
    const { url } = await served({ tools: [greet] });
    const { client } = await connected(url, revision);
    await expect(client.callTool({ name: "greeet", arguments: {} })).rejects.toMatchObject({
      code: -32_602,
      message: expect.stringContaining('"greet"'),
    });
    await expect(client.callTool({ name: "__proto__", arguments: {} })).rejects.toMatchObject({
      code: -32_602,
    });
  });

  test("a tool that its caller may not use is neither listed nor called", async () => {
    const secret = tool(greet, { name: "secret", allow: () => false });
    const { url } = await served({ tools: [secret, count] });
    const { client } = await connected(url, revision);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["count"]);
    await expect(client.callTool({ name: "secret", arguments: { name: "x" } })).rejects.toMatchObject({
      code: -32_602,
    });
  });

  test("what a tool requires has to come first, on the connection where there is one", async () => {
    const leave = tool({
      name: "leave",
      description: "Leaves.",
      input: { type: "object" },
      requires: ["greet"],
      execute: () => "left",
    });
    const { url } = await served({ tools: [greet, leave] });
    const { client } = await connected(url, revision);
    const other = await connected(url, revision);
    expect((await client.listTools()).tools[1]?.description).toBe("Leaves.\nRequires: greet first.");
    const early = await client.callTool({ name: "leave", arguments: {} });
    expect(textOf(early)).toContain(revision === "2025-11-25" ? "first call" : "left");
    await client.callTool({ name: "greet", arguments: { name: "Ada" } });
    expect(textOf(await client.callTool({ name: "leave", arguments: {} }))).toBe("left");
    const elsewhere = await other.client.callTool({ name: "leave", arguments: {} });
    expect(elsewhere.isError ?? false).toBe(revision === "2025-11-25");
  });

  test("images, sounds, files, links and embedded resources keep their kind", async () => {
    const data = "AAAA";
    const resource = { uri: "notes://1", mimeType: "text/plain", text: "One" };
    const media = tool({
      name: "media",
      input: { type: "object" },
      execute: () =>
        result({
          content: [
            { type: "image", url: `data:image/png;base64,${data}` },
            { type: "file", url: `data:audio/wav;base64,${data}` },
            { type: "file", url: `data:application/pdf;base64,${data}`, filename: "a b.pdf" },
            { type: "file", url: "https://example.com/a.pdf", mediaType: "application/pdf" },
            mcpContent({ type: "resource", resource }),
          ],
        }),
    });
    const { url } = await served({ tools: [media] });
    const { client } = await connected(url, revision);
    const { content } = await client.callTool({ name: "media", arguments: {} });
    const uri = "https://example.com/a.pdf";
    expect(content).toEqual([
      { type: "image", data, mimeType: "image/png" },
      { type: "audio", data, mimeType: "audio/wav" },
      {
        type: "resource",
        resource: { uri: "attachment:///a%20b.pdf", mimeType: "application/pdf", blob: data },
      },
      { type: "resource_link", uri, name: uri, mimeType: "application/pdf" },
      { type: "resource", resource },
    ]);
  });

  test("hints come from what a tool says, else from its policies", async () => {
    const { url } = await served({
      tools: [
        tool(greet, { title: "Greeter", readOnlyHint: true, openWorldHint: false }),
        tool(count, { cache: true }),
        tool(fail, { approval: true }),
        move,
      ],
    });
    const { client } = await connected(url, revision);
    const { tools } = await client.listTools();
    expect(tools.map(({ annotations }) => annotations)).toEqual([
      { readOnlyHint: true, openWorldHint: false },
      { readOnlyHint: true, idempotentHint: true },
      { readOnlyHint: false, destructiveHint: true },
      undefined,
    ]);
    expect(tools[0]?.title).toBe("Greeter");
  });

  test("what a tool yields and reports is progress, which only goes forward", async () => {
    const download = tool({
      name: "download",
      input: { type: "object" },
      execute: async function* (_input, context) {
        yield { progress: 1, total: 3, message: "one" };
        yield 1;
        context.progress({ progress: 2, total: 3 });
        yield Number.POSITIVE_INFINITY;
        const circular: { self?: object } = {};
        circular.self = circular;
        yield circular;
        return "done";
      },
    });
    const { url } = await served({ tools: [download] });
    const { client } = await connected(url, revision);
    const told: unknown[] = [];
    const onprogress = (progress: unknown): void => void told.push(progress);
    const answer = await client.callTool({ name: "download", arguments: {} }, { onprogress });
    expect(textOf(answer)).toBe("done");
    expect(told).toEqual([
      { progress: 1, total: 3, message: "one" },
      { progress: 2, total: 3 },
      { progress: 3, message: '{"self":"[circular]"}' },
    ]);
  });

  test("a request that is cancelled aborts its tool", async () => {
    const started = Promise.withResolvers<void>();
    const aborted = Promise.withResolvers<void>();
    const wait = tool({
      name: "wait",
      input: { type: "object" },
      execute: (_input, { signal }) => {
        signal.addEventListener("abort", () => aborted.resolve());
        started.resolve();
        return aborted.promise;
      },
    });
    const { url } = await served({ tools: [wait] });
    const { client } = await connected(url, revision);
    const controller = new AbortController();
    const call = client.callTool({ name: "wait", arguments: {} }, { signal: controller.signal });
    await started.promise;
    controller.abort(new Error("enough"));
    await expect(call).rejects.toThrow("enough");
    await aborted.promise;
  });

  test("serves an agent as a tool, with the default model if it has none", async () => {
    const model = new FunctionModel(({ messages }) => ({ text: `heard ${JSON.stringify(messages.at(-1))}` }));
    const { url } = await served({ agents: [new Agent({ name: "Echo" })], model });
    const { client } = await connected(url, revision);
    const answer = await client.callTool({ name: "echo", arguments: { input: "hi there" } });
    expect(textOf(answer)).toContain("hi there");
  });

  test("a hundred calls at once all get their own answer", async () => {
    const { url } = await served({ tools: [greet] });
    const { client } = await connected(url, revision);
    const names = Array.from({ length: 100 }, (_, index) => `guest ${index}`);
    const answers = await Promise.all(
      names.map((name) => client.callTool({ name: "greet", arguments: { name } })),
    );
    expect(answers.map(textOf)).toEqual(names.map((name) => `Hello, ${name}!`));
  });

  test("lists of thousands come in pages", async () => {
    const tools = Array.from({ length: 1_200 }, (_, index) => tool(greet, { name: `greet_${index}` }));
    const { url } = await served({ tools });
    const { client } = await connected(url, revision);
    expect((await client.listTools({ cursor: "500" })).tools[0]?.name).toBe("greet_500");
    expect((await client.listTools()).tools).toHaveLength(1_200);
    await expect(client.listTools({ cursor: "7" })).rejects.toMatchObject({ code: -32_602 });
  });

  test("passes tools the context created for the request", async () => {
    const whoami = tool({
      name: "whoami",
      input: { type: "object" },
      execute: (_input, { context }) => JSON.stringify(context),
    });
    const context = ({ http }: McpRequest): unknown => ({ host: http?.headers.get("host") });
    const { url } = await served({ tools: [whoami], context });
    const { client } = await connected(url, revision);
    const answer = await client.callTool({ name: "whoami", arguments: {} });
    expect(textOf(answer)).toBe(JSON.stringify({ host: new URL(url).host }));
  });

  test("notifies clients of new tools", async () => {
    const registry = new ToolRegistry().tool(greet);
    const { url, toolsChanged } = await served({ tools: [registry] });
    const told = Promise.withResolvers<readonly string[] | undefined>();
    const { client } = await connected(url, revision, {
      listChanged: {
        tools: { debounceMs: 0, onChanged: (_error, tools) => told.resolve(tools?.map(({ name }) => name)) },
      },
    });
    expect((await client.listTools()).tools).toHaveLength(1);
    registry.tool(count);
    // The stream that brings it opens after the connection.
    const again = setInterval(toolsChanged, 20);
    expect(await told.promise).toEqual(["greet", "count"]);
    clearInterval(again);
  });

  test("lines for the client's log arrive while the tool works", async () => {
    const talk = tool({
      name: "talk",
      input: { type: "object" },
      execute: (_input, context) => {
        mcpRequest(context).log("warning", { disk: "full" }, "disks");
        return "said";
      },
    });
    const { url } = await served({ tools: [talk] });
    const { client } = await connected(url, revision);
    const lines: unknown[] = [];
    client.setNotificationHandler("notifications/message", ({ params }) => void lines.push(params));
    const meta = revision === "2026-07-28" ? { "io.modelcontextprotocol/logLevel": "info" } : {};
    await client.callTool({ name: "talk", arguments: {}, _meta: meta });
    expect(lines).toMatchObject([{ level: "warning", logger: "disks", data: { disk: "full" } }]);
  });
});

function textOf({ content }: { readonly content: readonly { readonly type: string }[] }): string {
  return content.map((block) => ("text" in block ? String(block.text) : "")).join("");
}

import { InMemoryTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import { afterEach, describe, expect, test } from "vitest";
import { Agent } from "../../../agent/agent.ts";
import { run } from "../../../run/run.ts";
import { ScriptedModel } from "../../../testing/scripted-model.ts";
import { tool } from "../../../tool/define.ts";
import type { ToolContext } from "../../../tool/tool-context.ts";
import { sleep } from "../../../base/util/sleep.ts";
import { mcpRequest } from "../server/mcp-request.ts";
import { serveMcp } from "../server/serve-mcp.ts";
import type { McpServing } from "../server/types.ts";
import { setMcpHost } from "./host.ts";
import { mcp } from "./mcp.ts";
import type { ElicitationRequest, SamplingRequest } from "./questions.ts";
import { callTools, textOf } from "./test-servers.ts";
import type { McpToolset } from "./toolset.ts";
import type { McpCommonOptions } from "./types.ts";

afterEach(() => setMcpHost(undefined));

const form = {
  type: "object",
  properties: {
    name: { type: "string", minLength: 2 },
    size: { type: "integer", default: 3 },
    colour: { type: "string", enum: ["red", "blue"], default: "blue" },
  },
  required: ["name"],
} as const;

function asking(name: string, ask: (context: ToolContext) => Promise<unknown>): ReturnType<typeof tool> {
  return tool({
    name,
    description: "Asks the client",
    input: { type: "object" },
    execute: (_input: unknown, context: ToolContext) => ask(context),
  });
}

const tools = [
  asking("ask_user", (context) =>
    mcpRequest(context).elicit("form", { message: "Which one?\u202E\u0007", schema: form }),
  ),
  asking("ask_model", (context) =>
    mcpRequest(context).sample("model", {
      messages: [
        { role: "user", content: "What is the capital of France?" },
        { role: "assistant", content: "Which France?" },
        { role: "user", content: [{ type: "text", text: "The country." }] },
      ],
      systemPrompt: "Be brief.",
      maxTokens: 9_000,
      temperature: 0.5,
      stopSequences: ["."],
    }),
  ),
  asking("ask_roots", (context) => mcpRequest(context).roots("roots")),
];

/** The server of these tools, and a client that has these options. */
async function connected(
  protocol: string,
  options: McpCommonOptions,
): Promise<AsyncDisposableStack & { readonly server: McpToolset }> {
  const stack = new AsyncDisposableStack();
  const serving = stack.adopt(
    await serveMcp({ tools }, { transport: { http: { port: 0 } } }),
    (open: McpServing) => open.close(),
  );
  const server = stack.use(mcp({ url: serving.url ?? "", protocol, name: "shop", ...options }));
  return Object.assign(stack, { server });
}

/** What the server says of the client's answer, and what the client reports. */
async function answered(
  protocol: string,
  options: McpCommonOptions,
  toolName: string,
): Promise<readonly [string, readonly string[]]> {
  await using client = await connected(protocol, options);
  const [result] = await callTools(client.server, [toolName]);
  const reports: string[] = [];
  const warn = (message: string): void => void reports.push(message);
  await client.server.tools({ context: {}, agent: undefined, messages: [], warn });
  return [textOf(result), reports];
}

describe.each(["legacy", "2026-07-28"])("in the protocol of %s", (protocol) => {
  test("the application asks the user, and defaults are filled in", async () => {
    const requests: ElicitationRequest[] = [];
    const elicitation = (
      request: ElicitationRequest,
    ): { action: "accept"; content: Record<string, unknown> } => {
      requests.push(request);
      return { action: "accept", content: { name: "Ada", colour: "red" } };
    };
    const [text, reports] = await answered(protocol, { elicitation }, "ask_user");
    expect(JSON.parse(text)).toEqual({
      action: "accept",
      content: { name: "Ada", size: 3, colour: "red" },
    });
    expect(reports).toEqual([]);
    expect(requests).toEqual([
      {
        mode: "form",
        server: "shop",
        message: "Which one?",
        schema: expect.objectContaining(form),
        signal: expect.any(AbortSignal),
      },
    ]);
  });

  test.each(["decline", "cancel"] as const)(
    "reports to the server that the user chose to %s",
    async (action) => {
      const [text] = await answered(protocol, { elicitation: async () => ({ action }) }, "ask_user");
      expect(JSON.parse(text)).toEqual({ action });
    },
  );

  test("an answer that does not fit is reported here and cancelled there", async () => {
    const elicitation = async (): Promise<{ action: "accept"; content: Record<string, unknown> }> => ({
      action: "accept",
      content: { name: "A" },
    });
    const [text, reports] = await answered(protocol, { elicitation }, "ask_user");
    expect(JSON.parse(text)).toEqual({ action: "cancel" });
    expect(reports).toEqual([
      expect.stringMatching(/^The answer to a question of the MCP server "shop" does not fit: \$\.name: /),
    ]);
  });

  test("what the application throws stays with it", async () => {
    const elicitation = async (): Promise<never> => {
      throw new Error("password is hunter2");
    };
    const [text, reports] = await answered(protocol, { elicitation }, "ask_user");
    expect(text).not.toContain("hunter2");
    expect(reports[0]).toContain("hunter2");
  });

  test("declares to a server that no one can answer questions", async () => {
    const [text] = await answered(protocol, {}, "ask_user");
    expect(text).toMatch(/elicit|cannot ask its user/);
  });

  test("a program that has a user at hand answers for servers without a handler", async () => {
    setMcpHost({ elicit: () => ({ action: "accept", content: { name: "Grace" } }) });
    const [text] = await answered(protocol, {}, "ask_user");
    expect(JSON.parse(text)).toMatchObject({ content: { name: "Grace" } });
  });

  test("sends roots as addresses", async () => {
    const [text] = await answered(protocol, { roots: () => ["/tmp/a b", "file:///c"] }, "ask_roots");
    expect(JSON.parse(text)).toEqual([{ uri: "file:///tmp/a%20b" }, { uri: "file:///c" }]);
  });

  test("the calling model answers sampling requests, after approval and within limits", async () => {
    const requests: SamplingRequest[] = [];
    const approve = async (request: SamplingRequest): Promise<boolean> => requests.push(request) > 0;
    await using client = await connected(protocol, { sampling: { approve, maxOutputTokens: 500 } });
    const model = new ScriptedModel([
      { toolCalls: [{ toolName: "ask_model" }] },
      { text: "Paris", finishReason: "length" },
      "It is Paris.",
    ]);
    const agent = new Agent({ name: "A", instructions: "Secret.", tools: [client.server] });
    const { messages, text } = await run(agent, "Go", { model });
    expect(text).toBe("It is Paris.");
    const result = messages.find((message) => message.role === "tool")?.result;
    expect(JSON.parse(textOf(result))).toEqual({
      text: "Paris",
      model: model.modelId,
      stopReason: "maxTokens",
    });
    const [, sampled] = model.requests;
    expect(sampled).toMatchObject({
      instructions: "Be brief.",
      settings: { maxOutputTokens: 500, temperature: 0.5, stopSequences: ["."] },
      messages: [
        { role: "user", content: [{ type: "text", text: "What is the capital of France?" }] },
        { role: "assistant", content: [{ type: "text", text: "Which France?" }], toolCalls: [] },
        { role: "user", content: [{ type: "text", text: "The country." }] },
      ],
    });
    expect(sampled?.tools).toBeUndefined();
    expect(requests).toMatchObject([{ server: "shop", maxOutputTokens: 500, instructions: "Be brief." }]);
  });

  test.each([
    ["nobody was named to agree", {}],
    ["it was refused", { approve: () => false }],
  ])("no model is asked where %s", async (_, sampling) => {
    const model = new ScriptedModel([]);
    const [text] = await answered(protocol, { sampling: { model, ...sampling } }, "ask_model");
    expect(text).toContain("rejected");
    expect(model.requests).toEqual([]);
  });

  test("a server that may not ask a model learns that", async () => {
    const [text] = await answered(protocol, {}, "ask_model");
    expect(text).toMatch(/sampl|cannot ask a model/);
  });
});

/** A server in memory whose tool `open` wants the user to open a page, and the client's answer to that. */
async function opened(url: string, options: McpCommonOptions): Promise<string> {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const shop = new McpServer({ name: "shop", version: "1.0.0" });
  shop.registerTool("open", {}, async (context) => {
    const params = { mode: "url" as const, message: "Pay, please", elicitationId: "1", url };
    const answer = await context.mcpReq.send({ method: "elicitation/create", params });
    return { content: [{ type: "text", text: JSON.stringify(answer) }] };
  });
  await shop.connect(theirs);
  await using server = mcp({ transport: ours, name: "shop", ...options });
  return textOf((await callTools(server, ["open"]))[0]);
}

test("the user is shown the whole address of a page, and only what is a web page", async () => {
  const requests: ElicitationRequest[] = [];
  const elicitation = (request: ElicitationRequest): { action: "accept" } => {
    requests.push(request);
    return { action: "accept" };
  };
  const url = "https://pay.test/?order=1&token=2#here";
  expect(await opened(url, { elicitation })).toBe('{"action":"accept"}');
  expect(requests).toMatchObject([{ mode: "url", server: "shop", url }]);
  expect(await opened("file:///etc/passwd", { elicitation })).toBe('{"action":"decline"}');
  expect(requests).toHaveLength(1);
});

test("asks the questions of one server one after the other", async () => {
  let open = 0;
  let most = 0;
  const elicitation = async (): Promise<{ action: "decline" }> => {
    most = Math.max(most, ++open);
    // Long enough for the others to come in.
    await sleep(20);
    open--;
    return { action: "decline" };
  };
  await using client = await connected("legacy", { elicitation });
  await callTools(client.server, ["ask_user"], ["ask_user"], ["ask_user"]);
  expect(most).toBe(1);
});

/** Tools that a provider runs by itself: what they did is part of the answer, goes back as it came, and the run goes on by itself. */
import { describe, expect, test } from "vitest";
import { Agent, generate, run, stream, tool, type JsonObject, type Message, type Model } from "skein";
import { anthropic } from "skein/anthropic";
import { framed, messageEnd, messageStart, streamed, block, type WireEvent } from "./answers.ts";
import { serve, type LocalServer } from "./local-server.ts";
import { modelOver } from "./protocols.ts";

const container = { id: "container_1", expires_at: "2999-01-01T00:00:00Z", skills: null };

const searching = {
  type: "server_tool_use",
  id: "srvtoolu_1",
  name: "web_search",
  input: { query: "herons" },
};

const found = {
  type: "web_search_tool_result",
  tool_use_id: "srvtoolu_1",
  content: [
    { type: "web_search_result", url: "https://a.test/", title: "Herons", encrypted_content: "EqgfCioI==" },
  ],
};

const running = { type: "server_tool_use", id: "srvtoolu_2", name: "code_execution", input: { code: "1" } };

function messageEvents(blocks: readonly object[], end: WireEvent): WireEvent[] {
  const [stop, ...rest] = messageEnd("end_turn").toReversed();
  const delta = { ...rest[0], ...end };
  return [messageStart("1"), ...blocks.flatMap((one, index) => block(index, one)), delta, { ...stop }];
}

function ended(reason: string, over: object = container): WireEvent {
  return { delta: { stop_reason: reason, stop_sequence: null, container: over } };
}

const webSearch: JsonObject = { type: "web_search_20260209", name: "web_search" };
const settings = { maxRetries: 0, providerOptions: { tools: [webSearch] } };

interface Answering {
  readonly server: LocalServer;
  readonly model: Model;
}

async function answering(
  ...answers: readonly (readonly WireEvent[])[]
): Promise<AsyncDisposable & Answering> {
  const last = streamed("messages", { id: "2", text: "They are grey." });
  const server = await serve((index) => {
    const events = answers[index];
    return events ? { pieces: framed("messages", events) } : last;
  });
  const model = modelOver("messages", server);
  return { server, model, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

function messagesIn({ server }: Answering, index: number): unknown {
  return server.received[index]?.body["messages"];
}

describe("a turn that Anthropic pauses", () => {
  const paused = messageEvents([searching, found, running], ended("pause_turn"));

  test("is gone on with, as it stands and in its container", async () => {
    await using at = await answering(paused, paused);
    const agent = new Agent({ name: "Clerk", model: at.model, settings });
    const events = await Array.fromAsync(stream(agent, "Herons?").events());
    const end = events.at(-1);
    expect(end).toMatchObject({
      type: "run-end",
      result: { status: "completed", text: "They are grey.", turns: 3, usage: { inputTokens: 27 } },
    });
    expect(events.filter(({ type }) => type === "run-end")).toHaveLength(1);
    const user = { role: "user", content: [{ type: "text", text: "Herons?" }] };
    const blocks = [searching, found, running];
    expect(messagesIn(at, 1)).toEqual([user, { role: "assistant", content: blocks }]);
    expect(messagesIn(at, 2)).toEqual([user, { role: "assistant", content: [...blocks, ...blocks] }]);
    expect(at.server.received.map(({ body }) => body["container"])).toEqual([
      undefined,
      "container_1",
      "container_1",
    ]);
  });

  test("is gone on with as often as the run has turns, and its budget allows", async () => {
    await using at = await answering(...Array.from({ length: 30 }, () => paused));
    const agent = new Agent({ name: "Clerk", model: at.model, settings });
    expect(await run(agent, "Herons?", { maxTurns: 4 })).toMatchObject({ status: "max-turns", turns: 4 });
    expect(await run(agent, "Herons?", { maxTokens: 30 })).toMatchObject({ status: "budget", turns: 3 });
  });

  test("is not a wrong output", async () => {
    const invoice = block(0, { type: "text", text: "" }, { type: "text_delta", text: '{"total":7}' });
    await using at = await answering(paused, [messageStart("2"), ...invoice, ...messageEnd("end_turn")]);
    const output = {
      type: "object",
      properties: { total: { type: "number" } },
      required: ["total"],
    } as const;
    const agent = new Agent({ name: "Clerk", model: at.model, settings, output });
    const outcome = await run(agent, "Herons?");
    expect(outcome).toMatchObject({ status: "completed", output: { total: 7 }, turns: 2 });
    expect(outcome.messages.map(({ role }) => role)).toEqual(["assistant", "assistant"]);
  });

  test("can be cancelled, and gone on with later", async () => {
    await using at = await answering(paused);
    const agent = new Agent({ name: "Clerk", model: at.model, settings });
    const cancel = new AbortController();
    const outcome = await run(agent, "Herons?", {
      signal: cancel.signal,
      onEvent: ({ type }) => type === "turn-end" && cancel.abort(),
    });
    expect(outcome.status).toBe("cancelled");
    expect(await run(agent, outcome.state)).toMatchObject({ status: "completed", text: "They are grey." });
  });

  test("is an error for direct calls of the model", async () => {
    await using at = await answering(paused);
    const answer = await generate(at.model, { messages: "Herons?", settings });
    expect(answer).toMatchObject({
      shouldContinue: true,
      finishReason: "other",
      rawFinishReason: "pause_turn",
    });
    expect(await generate(at.model, { messages: "Herons?" })).not.toHaveProperty("shouldContinue");
  });

  test("goes over to another provider as words alone", async () => {
    await using at = await answering(messageEvents([searching, found], ended("end_turn")));
    const { message } = await generate(at.model, { messages: "Herons?", settings });
    const history: Message[] = [
      { role: "user", content: "Herons?" },
      { ...message, content: [...message.content, { type: "text", text: "Grey." }] },
      { role: "user", content: "Sure?" },
    ];
    await using other = await serve(() => streamed("chat", { id: "3", text: "Fine." }));
    await generate(modelOver("chat", other), { messages: history });
    expect(other.received[0]?.text).toMatch(/"Grey\."/);
    expect(other.received[0]?.text).not.toMatch(/container_1|srvtoolu|EqgfCioI/);
  });
});

describe("the container of Anthropic's tools", () => {
  const lookUp = tool({
    name: "look_up",
    input: { type: "object", properties: {} },
    execute: () => "grey",
  });
  const called = {
    type: "tool_use",
    id: "toolu_1",
    name: "look_up",
    input: {},
    caller: { type: "code_execution_20260120", tool_id: "srvtoolu_2" },
  };
  const byCode = messageEvents([running, called], ended("tool_use"));

  test("is named with the result of a call that code in it made", async () => {
    await using at = await answering(byCode);
    const agent = new Agent({ name: "Clerk", model: at.model, settings, tools: [lookUp] });
    expect(await run(agent, "Herons?")).toMatchObject({ status: "completed" });
    const result = {
      type: "tool_result",
      tool_use_id: "toolu_1",
      content: [{ type: "text", text: "grey" }],
    };
    expect(messagesIn(at, 1)).toMatchObject([
      { role: "user" },
      { role: "assistant", content: [running, called] },
      { role: "user", content: [result] },
    ]);
    expect(at.server.received[1]?.body["container"]).toBe("container_1");
  });

  test("is named beside the requested skills", async () => {
    await using at = await answering(byCode);
    const skills = [{ type: "anthropic", skill_id: "xlsx" }];
    const providerOptions = { tools: [webSearch], container: { skills } };
    const agent = new Agent({
      name: "Clerk",
      model: at.model,
      settings: { providerOptions },
      tools: [lookUp],
    });
    await run(agent, "Herons?");
    expect(at.server.received.map(({ body }) => body["container"])).toEqual([
      { skills },
      { id: "container_1", skills },
    ]);
  });

  test.each([
    ["it has expired", settings, { ...container, expires_at: "2020-01-01T00:00:00Z" }, undefined],
    ["no such tools are offered any more", { maxRetries: 0 }, container, undefined],
    [
      "the caller names another",
      { providerOptions: { tools: [webSearch], container: "container_2" } },
      container,
      "container_2",
    ],
  ])("is not named where %s", async (_, asked, over, expected) => {
    await using at = await answering(messageEvents([searching, found], ended("end_turn", over)));
    const { message } = await generate(at.model, { messages: "Herons?", settings });
    await generate(at.model, {
      messages: [{ role: "user", content: "Herons?" }, message, { role: "user", content: "Sure?" }],
      settings: asked,
    });
    expect(at.server.received[1]?.body["container"]).toBe(expected);
    expect(at.server.received[1]?.text).not.toContain("container_1");
  });

  test("of another provider's is not named", async () => {
    await using at = await answering(byCode);
    const { message } = await generate(at.model, { messages: "Herons?", settings });
    const other = anthropic("claude-sonnet-4-6", {
      apiKey: "k",
      baseURL: at.server.url,
      provider: "bedrock",
    });
    await generate(other, { messages: [{ role: "user", content: "Herons?" }, message], settings });
    expect(at.server.received[1]?.text).not.toContain("container_1");
  });
});

describe("the Responses API", () => {
  /** Items as the API tells them, in the order of the output. */
  const output: readonly JsonObject[] = [
    { id: "rs_1", type: "reasoning", summary: [], encrypted_content: "gAAAAAB==" },
    {
      id: "ws_1",
      type: "web_search_call",
      status: "completed",
      action: {
        type: "search",
        query: "herons",
        queries: ["herons"],
        sources: [{ type: "url", url: "https://a.test/" }],
      },
    },
    {
      id: "ci_1",
      type: "code_interpreter_call",
      status: "completed",
      code: "print(1)",
      container_id: "cntr_1",
      outputs: [{ type: "logs", logs: "1\n" }],
    },
    {
      id: "mcpl_1",
      type: "mcp_list_tools",
      server_label: "birds",
      tools: [{ name: "look_up", description: null, input_schema: { type: "object" }, annotations: null }],
    },
    {
      id: "mcp_1",
      type: "mcp_call",
      status: "completed",
      server_label: "birds",
      name: "look_up",
      arguments: '{"bird":"heron"}',
      output: "grey",
      error: null,
      approval_request_id: null,
    },
    { id: "ig_1", type: "image_generation_call", status: "completed", result: "iVBORw0KGgo=" },
    { id: "cmp_1", type: "compaction", encrypted_content: "gAAAAABc==" },
    {
      id: "msg_1",
      type: "message",
      role: "assistant",
      status: "completed",
      phase: "final_answer",
      content: [
        {
          type: "output_text",
          text: "They are grey.",
          annotations: [
            { type: "url_citation", url: "https://a.test/", title: "Herons", start_index: 0, end_index: 4 },
            {
              type: "container_file_citation",
              container_id: "cntr_1",
              file_id: "cfile_1",
              filename: "a.csv",
              start_index: 5,
              end_index: 8,
            },
          ],
        },
        { type: "refusal", refusal: "Their nests I do not tell." },
      ],
    },
    {
      id: "mcpr_1",
      type: "mcp_approval_request",
      server_label: "birds",
      name: "feed",
      arguments: '{"bird":"heron"}',
    },
  ];

  /** A stream in which all that a delta may tell is told by deltas. */
  function told(): WireEvent[] {
    const items = output.flatMap((item, output_index): WireEvent[] => {
      const at = { output_index, item_id: item["id"] };
      const began = { ...item, status: "in_progress", ...(item["type"] === "message" && { content: [] }) };
      const between: WireEvent[] =
        item["type"] === "message"
          ? [
              { type: "response.output_text.delta", ...at, content_index: 0, delta: "They are " },
              { type: "response.output_text.delta", ...at, content_index: 0, delta: "grey." },
              { type: "response.output_text.annotation.added", ...at, content_index: 0, annotation: {} },
              { type: "response.refusal.delta", ...at, content_index: 1, delta: "Their nests " },
              { type: "response.refusal.delta", ...at, content_index: 1, delta: "I do not tell." },
            ]
          : [
              { type: "response.web_search_call.searching", ...at },
              { type: "response.code_interpreter_call_code.delta", ...at, delta: "print" },
              {
                type: "response.image_generation_call.partial_image",
                ...at,
                partial_image_b64: "iVBO",
                partial_image_index: 0,
              },
              { type: "response.mcp_call_arguments.delta", ...at, delta: "{" },
            ];
      return [
        { type: "response.output_item.added", ...at, item: began },
        ...between,
        { type: "response.output_item.done", ...at, item },
      ];
    });
    const response = { id: "resp_1", object: "response", status: "completed", model: "m", output };
    return [...items, { type: "response.completed", response }];
  }

  test("keeps the work of its tools as parts, and sends it back unchanged", async () => {
    await using server = await serve((index) =>
      index === 0
        ? { pieces: framed("responses", told()) }
        : streamed("responses", { id: "2", text: "Fine." }),
    );
    const model = modelOver("responses", server);
    const answer = await generate(model, { messages: "Herons?" });
    expect(answer).toMatchObject({
      finishReason: "stop",
      text: "They are grey.Their nests I do not tell.",
      refusal: "Their nests I do not tell.",
    });
    expect(answer.message.content.map(({ type }) => type)).toEqual([
      "reasoning",
      "provider",
      "provider",
      "provider",
      "provider",
      "image",
      "provider",
      "text",
      "text",
      "provider",
    ]);
    expect(answer.message.content[5]).toMatchObject({ url: "data:image/png;base64,iVBORw0KGgo=" });
    expect(answer.message.content[7]).toMatchObject({
      providerData: { data: { content: { annotations: [{ type: "url_citation" }, {}] } } },
    });
    // A person's word on what the server asks to do is an item of the server's own, too.
    const approval = { type: "mcp_approval_response", approval_request_id: "mcpr_1", approve: true };
    const said: Message = {
      role: "assistant",
      content: [{ type: "provider", providerData: { provider: "openai", data: { item: approval } } }],
      toolCalls: [],
    };
    const kept: Message = JSON.parse(JSON.stringify(answer.message));
    await generate(model, { messages: [{ role: "user", content: "Herons?" }, kept, said] });
    expect(server.received[1]?.body["input"]).toEqual([
      { role: "user", content: "Herons?" },
      ...output,
      approval,
    ]);
  });
});

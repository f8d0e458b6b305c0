import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { UnsupportedPartError } from "../../../errors.ts";
import type { Message } from "../../../message/messages.ts";
import type { FilePart, ImagePart } from "../../../message/parts.ts";
import { startExchange, type TestExchange } from "../test-exchange.ts";
import type { Connection } from "../options.ts";
import { chatMessages } from "./messages.ts";
import { chatRequest } from "./request.ts";

const whole = {
  id: "c",
  choices: [{ index: 0, message: { role: "assistant", content: "ok" }, finish_reason: "stop" }],
};
let exchange: TestExchange;
beforeAll(async () => void (exchange = await startExchange("chat", whole)));
afterAll(() => exchange.server.close());

const image = "data:image/png;base64,AAAA";
const pdf = "data:application/pdf;base64,BBBB";

/** The messages on the wire for a history. */
async function wireOf(...messages: readonly Message[]): Promise<unknown> {
  return (await exchange.bodyOf({ messages }))["messages"];
}

const toolResult = (toolCallId: string, ...content: readonly object[]): Message =>
  ({
    role: "tool",
    result: { toolCallId, toolName: "one", content, isError: false, outcome: "success" },
  }) as Message;

describe("a request", () => {
  test("has an empty text where no part of a user's message is sent: an empty list is refused", async () => {
    const none = [[], [{ type: "reasoning", text: "Hm." }]] as const;
    for (const content of none)
      expect(await wireOf({ role: "user", content })).toEqual([{ role: "user", content: "" }]);
  });

  test("has instructions, history, tools and settings in the form of Chat Completions", async () => {
    const body = await exchange.bodyOf({
      instructions: "Be brief.",
      messages: [
        { role: "user", content: "Weather?" },
        {
          role: "assistant",
          content: [
            { type: "text", text: "I look." },
            { type: "tool-call", toolCallId: "a" },
          ],
          toolCalls: [{ toolCallId: "a", toolName: "one", arguments: '{"x": 1}' }],
        },
        toolResult("a", { type: "text", text: "Sunny" }),
      ],
      tools: [
        {
          name: "one",
          description: "First.",
          inputSchema: { type: "object", properties: { x: { type: "number" } } },
        },
        { name: "two", inputSchema: { type: "object" }, strict: true },
      ],
      toolChoice: { tool: "one" },
      parallelToolCalls: false,
      settings: {
        temperature: 0.5,
        topP: 0.9,
        maxOutputTokens: 100,
        stopSequences: ["END"],
        seed: 7,
        presencePenalty: 0.1,
        frequencyPenalty: 0.2,
        reasoningEffort: "low",
        topLogprobs: 2,
        providerOptions: { user: "u1", temperature: 0, stream_options: { extra: true } },
      },
    });
    expect(body).toEqual({
      model: "some-model",
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "Weather?" },
        {
          role: "assistant",
          content: "I look.",
          tool_calls: [{ id: "a", type: "function", function: { name: "one", arguments: '{"x": 1}' } }],
        },
        { role: "tool", tool_call_id: "a", content: "Sunny" },
      ],
      tools: [
        {
          type: "function",
          function: {
            name: "one",
            description: "First.",
            parameters: { type: "object", properties: { x: { type: "number" } } },
          },
        },
        {
          type: "function",
          function: {
            name: "two",
            parameters: { type: "object", properties: {}, required: [], additionalProperties: false },
            strict: true,
          },
        },
      ],
      tool_choice: { type: "function", function: { name: "one" } },
      parallel_tool_calls: false,
      temperature: 0,
      top_p: 0.9,
      max_tokens: 100,
      stop: ["END"],
      seed: 7,
      presence_penalty: 0.1,
      frequency_penalty: 0.2,
      reasoning_effort: "low",
      logprobs: true,
      top_logprobs: 2,
      stream: true,
      stream_options: { include_usage: true, extra: true },
      user: "u1",
    });
  });

  test("has only the necessary fields", async () => {
    expect(await exchange.bodyOf({ toolChoice: "auto", parallelToolCalls: true, tools: [] })).toEqual({
      model: "some-model",
      messages: [{ role: "user", content: "Hello" }],
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  test.each(["auto", "required", "none"] as const)("passes the tool choice %s on", async (toolChoice) => {
    const tools = [{ name: "one", inputSchema: {} }];
    expect(await exchange.bodyOf({ toolChoice, tools })).toMatchObject({ tool_choice: toolChoice });
  });

  test("has the maximum length of the answer under the name that its host supports", () => {
    const connection = {
      provider: "openai",
      modelId: "m",
      host: "api.openai.com",
      isOpenAI: true,
    } as Connection;
    const request = { messages: [], settings: { maxOutputTokens: 9 } };
    expect(chatRequest(connection, request).body).toMatchObject({ max_completion_tokens: 9 });
    expect(chatRequest({ ...connection, isOpenAI: false }, request).body).toMatchObject({ max_tokens: 9 });
  });

  test("adds the caller's built-in tools to the functions", async () => {
    const settings = { providerOptions: { tools: [{ type: "web_search" }] } };
    const { tools } = await exchange.bodyOf({ tools: [{ name: "one", inputSchema: {} }], settings });
    expect(tools).toEqual([
      { type: "function", function: { name: "one", parameters: {} } },
      { type: "web_search" },
    ]);
  });

  test("warns of a tool choice that has no tools", async () => {
    const generation = await exchange.generationOf(
      { type: "application/json", chunks: [JSON.stringify(whole)] },
      { toolChoice: "required" },
    );
    expect(generation.warnings).toEqual(["toolChoice is left out: the request has no tools."]);
  });

  test("starts with the same bytes as the one before", async () => {
    const messages: Message[] = [{ role: "user", content: "1" }];
    const first = JSON.stringify(await wireOf(...messages));
    messages.push({ role: "assistant", content: [{ type: "text", text: "2" }], toolCalls: [] });
    messages.push({ role: "user", content: "3" });
    expect(JSON.stringify(await wireOf(...messages)).startsWith(first.slice(0, -1))).toBe(true);
  });
});

describe("a history", () => {
  test("has the user's images, files and audio", async () => {
    const content = [
      { type: "text", text: "Look" },
      { type: "image", url: "https://acme.test/a.png" },
      { type: "file", url: pdf },
      { type: "file", url: pdf, filename: "bill.pdf" },
      { type: "file", url: "data:audio/mpeg;base64,CCCC" },
      { type: "file", url: "DATA:audio/wav;base64,DDDD" },
    ] as const;
    expect(await wireOf({ role: "user", content })).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "Look" },
          { type: "image_url", image_url: { url: "https://acme.test/a.png", detail: "auto" } },
          { type: "file", file: { filename: "file.pdf", file_data: pdf } },
          { type: "file", file: { filename: "bill.pdf", file_data: pdf } },
          { type: "input_audio", input_audio: { data: "CCCC", format: "mp3" } },
          { type: "input_audio", input_audio: { data: "DDDD", format: "wav" } },
        ],
      },
    ]);
    expect(await wireOf({ role: "user", content: [{ type: "text", text: "Hi" }] })).toEqual([
      { role: "user", content: "Hi" },
    ]);
  });

  test("names a file of a result that the protocol cannot fetch, and warns", async () => {
    const call = { toolCallId: "a", toolName: "one", arguments: "{}" };
    const { warnings } = await exchange.generationOf(
      { type: "application/json", chunks: [JSON.stringify(whole)] },
      {
        messages: [
          { role: "assistant", content: [], toolCalls: [call] },
          toolResult("a", { type: "file", url: "https://acme.test/a.pdf", filename: "a.pdf" }),
        ],
      },
    );
    expect(warnings).toEqual([expect.stringContaining('file "a.pdf"')]);
    expect(JSON.stringify(exchange.server.received.at(-1)?.body)).toContain('file \\"a.pdf\\"');
  });

  test("has the ids of stored files, and formats and videos that compatible servers take", async () => {
    const content = [
      { type: "file", url: "openai:file-1" },
      { type: "file", url: "data:audio/ogg;base64,AA==" },
      { type: "file", url: "https://acme.test/a.mp4" },
      { type: "file", url: "data:image/png;base64,AA==" },
    ] as const;
    expect(await wireOf({ role: "user", content })).toEqual([
      {
        role: "user",
        content: [
          { type: "file", file: { file_id: "file-1" } },
          { type: "input_audio", input_audio: { data: "AA==", format: "ogg" } },
          { type: "video_url", video_url: { url: "https://acme.test/a.mp4" } },
          { type: "image_url", image_url: { url: "data:image/png;base64,AA==", detail: "auto" } },
        ],
      },
    ]);
  });

  test.each<[ImagePart | FilePart, RegExp]>([
    [{ type: "file", url: "https://acme.test/a.pdf" }, /does not fetch files.*data: URL/],
    [{ type: "file", url: "https://acme.test/a.mp3" }, /must be content/],
    [{ type: "file", url: "data:audio/ogg;base64,AA==" }, /WAV or MP3/],
    [{ type: "file", url: "data:video/mp4;base64,AA==" }, /not support video.*google/],
    [{ type: "image", url: "openai:file-1" }, /not support ids of images.*openai\.responses/],
    [{ type: "image", url: "data:image/heic;base64,AA==" }, /PNG, JPEG, GIF or WebP/],
    [{ type: "file", url: "anthropic:file_1" }, /"anthropic:" is not read there.*"openai:<id>"/],
    [{ type: "file", url: "/etc/passwd" }, /not an address/],
  ])("is refused where OpenAI cannot take %o of a user", (part, reason) => {
    const target = { provider: "openai", modelId: "gpt-5.2", host: "api.openai.com", isOpenAI: true };
    const translate = (): unknown => chatMessages(undefined, [{ role: "user", content: [part] }], target);
    expect(translate).toThrow(UnsupportedPartError);
    expect(translate).toThrow(reason);
  });

  test("puts the images of tool results after all results of the batch", async () => {
    const calls = ["a", "b"].map((toolCallId) => ({ toolCallId, toolName: "one", arguments: "{}" }));
    const messages: Message[] = [
      { role: "assistant", content: [], toolCalls: calls },
      toolResult("a", { type: "text", text: "A chart" }, { type: "image", url: image }),
      toolResult("b", { type: "image", url: image }),
      { role: "user", content: "And?" },
    ];
    expect(await wireOf(...messages)).toMatchObject([
      { role: "assistant", content: null, tool_calls: [{ id: "a" }, { id: "b" }] },
      { role: "tool", tool_call_id: "a", content: "A chart" },
      { role: "tool", tool_call_id: "b", content: expect.stringContaining("next user message") },
      {
        role: "user",
        content: [
          { type: "text", text: expect.stringContaining("call a") },
          { type: "image_url", image_url: { url: image } },
          { type: "text", text: expect.stringContaining("call b") },
          { type: "image_url", image_url: { url: image } },
        ],
      },
      { role: "user", content: "And?" },
    ]);
    expect(await wireOf(...messages.slice(0, 3))).toHaveLength(4);
  });

  test("of another provider is sent without the parts that only that provider understands", async () => {
    const data = { signature: "c2ln" };
    const content = [
      { type: "reasoning", text: "secret thought", providerData: { provider: "anthropic", data } },
      { type: "text", text: "I look.", providerData: { provider: "anthropic", data } },
      { type: "provider", providerData: { provider: "anthropic", data: { type: "server_tool_use" } } },
      { type: "tool-call", toolCallId: "toolu_1", providerData: { provider: "anthropic", data } },
    ] as const;
    const toolCalls = [{ toolCallId: "toolu_1", toolName: "weather now", arguments: "" }];
    const [message, result] = (await wireOf(
      { role: "assistant", content, toolCalls },
      toolResult("toolu_1", { type: "text", text: "Sunny" }),
    )) as object[];
    expect(message).toEqual({
      role: "assistant",
      content: "I look.",
      tool_calls: [
        {
          id: "toolu_1",
          type: "function",
          function: { name: expect.stringMatching(/^[a-zA-Z0-9_-]{1,64}$/), arguments: "{}" },
        },
      ],
    });
    expect(result).toMatchObject({ tool_call_id: "toolu_1" });
  });

  test("loses a message without anything to send", async () => {
    const content = [{ type: "reasoning", text: "x" }] as const;
    expect(
      await wireOf({ role: "assistant", content, toolCalls: [] }, { role: "user", content: "Hi" }),
    ).toEqual([{ role: "user", content: "Hi" }]);
  });

  test("gets distinct short ids for long ones, the same in call and result", async () => {
    const ids = [`${"x".repeat(50)}1`, `${"x".repeat(50)}2`, ""];
    const toolCalls = ids.map((toolCallId) => ({ toolCallId, toolName: "one", arguments: "{}" }));
    const messages = (await wireOf(
      { role: "assistant", content: [], toolCalls },
      ...ids.map((id) => toolResult(id, { type: "text", text: "ok" })),
    )) as [{ tool_calls: { id: string }[] }, ...{ tool_call_id: string }[]];
    const [message, ...results] = messages;
    const wire = message.tool_calls.map((call) => call.id);
    expect(new Set(wire).size).toBe(3);
    for (const id of wire) expect(id).toMatch(/^.{1,40}$/);
    expect(results.map((result) => result.tool_call_id)).toEqual(wire);
  });

  test("never has arguments that a compatible server cannot parse", async () => {
    const toolCalls = [{ toolCallId: "a", toolName: "one", arguments: '{"x":' }];
    const [message] = (await wireOf({ role: "assistant", content: [], toolCalls })) as [
      { tool_calls: [{ function: { arguments: string } }] },
    ];
    expect(JSON.parse(message.tool_calls[0].function.arguments)).toEqual({ invalid_json: '{"x":' });
  });
});

describe("what only the server understands is sent back to it unchanged", () => {
  const answers: readonly (readonly [string, object])[] = [
    ["reasoning_content", { content: "4", reasoning_content: "hm" }],
    ["reasoning", { content: "4", reasoning: "hm" }],
    [
      "reasoning_details",
      {
        content: "4",
        reasoning_details: [{ type: "reasoning.text", text: "hm", signature: "c2ln", index: 0 }],
      },
    ],
    [
      "thinking in content arrays",
      {
        content: [
          { type: "thinking", thinking: [{ type: "text", text: "hm" }] },
          { type: "text", text: "4" },
        ],
      },
    ],
    ["a refusal", { content: null, refusal: "I won't." }],
    [
      "a call's signature",
      {
        content: null,
        tool_calls: [
          {
            id: "a",
            type: "function",
            function: { name: "one", arguments: "{}" },
            extra_content: { google: { thought_signature: "c2ln" } },
          },
        ],
      },
    ],
  ];

  test.each(answers)("%s", async (_title, fields) => {
    const message = { role: "assistant", ...fields };
    const answer = { choices: [{ index: 0, message, finish_reason: "stop" }] };
    const generation = await exchange.generationOf({
      type: "application/json",
      chunks: [JSON.stringify(answer)],
    });
    const wire = await wireOf(generation.message);
    const unanswered = generation.toolCalls.map(() => expect.objectContaining({ role: "tool" }));
    expect(wire).toEqual([message, ...unanswered]);
  });

  test("and to no other provider", async () => {
    const message = { role: "assistant", content: "4", reasoning_content: "hm" };
    const answer = { choices: [{ index: 0, message, finish_reason: "stop" }] };
    const generation = await exchange.generationOf({
      type: "application/json",
      chunks: [JSON.stringify(answer)],
    });
    const body = await exchange.bodyOf({ messages: [generation.message] }, { provider: "deepseek" });
    expect(body["messages"]).toEqual([{ role: "assistant", content: "4" }]);
  });
});

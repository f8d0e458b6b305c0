import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { UnsupportedPartError } from "../../../errors.ts";
import type { Message } from "../../../message/messages.ts";
import type { FilePart, ImagePart } from "../../../message/parts.ts";
import { startExchange, type TestExchange } from "../test-exchange.ts";
import { inputItems } from "./input.ts";
import { call, completed, done, message, toolCall, unanswered, whole } from "./test-items.ts";

let exchange: TestExchange;
beforeAll(async () => void (exchange = await startExchange("responses", whole)));
afterAll(() => exchange.server.close());

/** The items on the wire for a history. */
async function inputOf(...messages: readonly Message[]): Promise<unknown> {
  return (await exchange.bodyOf({ messages }))["input"];
}

test("a message of the user without parts is an empty text: an empty list is refused", async () => {
  expect(await inputOf({ role: "user", content: [] })).toEqual([{ role: "user", content: "" }]);
});

describe("images and files", () => {
  const ofOpenAI = { provider: "openai", modelId: "gpt-5.2", isOpenAI: true, isStored: false };

  test("that OpenAI stores are sent by their ids", async () => {
    const content = [
      { type: "image", url: "openai:file-1" },
      { type: "file", url: "openai:file-2", filename: "a.pdf" },
      { type: "file", url: "openai:file-3", mediaType: "image/png" },
    ] as const;
    expect(await inputOf({ role: "user", content })).toEqual([
      {
        role: "user",
        content: [
          { type: "input_image", file_id: "file-1", detail: "auto" },
          { type: "input_file", file_id: "file-2" },
          { type: "input_image", file_id: "file-3", detail: "auto" },
        ],
      },
    ]);
  });

  const refused: readonly (readonly [ImagePart | FilePart, RegExp])[] = [
    [{ type: "file", url: "data:audio/wav;base64,AA==" }, /not support audio.*Chat Completions/],
    [{ type: "file", url: "https://acme.test/a.mp4" }, /not support video.*google/],
    [{ type: "image", url: "data:image/heic;base64,AA==" }, /PNG, JPEG, GIF or WebP/],
    [{ type: "file", url: "google:files/a" }, /"google:" is not read there/],
  ];

  test.each(refused)("of a user are refused with the remedy where the API has none: %o", (part, reason) => {
    const translate = (): unknown => inputItems([{ role: "user", content: [part] }], ofOpenAI);
    expect(translate).toThrow(UnsupportedPartError);
    expect(translate).toThrow(reason);
  });

  test.each(refused)("of a result are described, with a warning, where the API has none: %o", (part) => {
    const result = { toolCallId: "a", toolName: "look", isError: false, outcome: "success" } as const;
    const history = [{ role: "tool", result: { ...result, content: [part] } }] as const;
    const { items, warnings } = inputItems(history, ofOpenAI);
    expect(warnings).toEqual([expect.stringContaining("The Responses API does not accept the")]);
    expect(items).toMatchObject([{ output: [{ text: expect.stringContaining("which cannot be shown") }] }]);
  });
});

describe("a request", () => {
  const reasons = { include: ["reasoning.encrypted_content"], store: false, stream: true };

  test("has instructions, history, tools and settings in the form of the API", async () => {
    const body = await exchange.bodyOf({
      instructions: "Be brief.",
      messages: [
        { role: "system", content: "Today is Monday." },
        {
          role: "user",
          content: [
            { type: "text", text: "Look" },
            { type: "image", url: "https://acme.test/a.png" },
            { type: "file", url: "https://acme.test/a.pdf" },
            { type: "file", url: "data:application/pdf;base64,AAAA" },
          ],
        },
        { role: "assistant", content: [{ type: "text", text: "I look." }], toolCalls: [toolCall] },
        {
          role: "tool",
          result: {
            ...toolCall,
            content: [
              { type: "text", text: "A chart" },
              { type: "image", url: "data:image/png;base64,BB" },
            ],
            isError: false,
            outcome: "success",
          },
        },
      ],
      tools: [
        { name: "one", description: "First.", inputSchema: { type: "object" } },
        { name: "two.x", inputSchema: { type: "object" }, strict: true },
      ],
      toolChoice: { tool: "one" },
      parallelToolCalls: true,
      settings: {
        temperature: 1,
        topP: 0.5,
        maxOutputTokens: 9,
        reasoningEffort: "high",
        topLogprobs: 3,
        providerOptions: { reasoning: { summary: "auto" }, include: ["web_search_call.action.sources"] },
      },
    });
    expect(body).toEqual({
      model: "some-model",
      instructions: "Be brief.",
      input: [
        { role: "system", content: "Today is Monday." },
        {
          role: "user",
          content: [
            { type: "input_text", text: "Look" },
            { type: "input_image", image_url: "https://acme.test/a.png", detail: "auto" },
            { type: "input_file", file_url: "https://acme.test/a.pdf" },
            { type: "input_file", filename: "file.pdf", file_data: "data:application/pdf;base64,AAAA" },
          ],
        },
        { role: "assistant", content: "I look." },
        { type: "function_call", call_id: "call_1", name: "one", arguments: '{"x":1}' },
        {
          type: "function_call_output",
          call_id: "call_1",
          output: [
            { type: "input_text", text: "A chart" },
            { type: "input_image", image_url: "data:image/png;base64,BB", detail: "auto" },
          ],
        },
      ],
      tools: [
        {
          type: "function",
          name: "one",
          description: "First.",
          parameters: { type: "object" },
          strict: false,
        },
        {
          type: "function",
          name: expect.stringMatching(/^two_x_\w+$/),
          parameters: { type: "object", properties: {}, required: [], additionalProperties: false },
          strict: true,
        },
      ],
      tool_choice: { type: "function", name: "one" },
      parallel_tool_calls: true,
      temperature: 1,
      top_p: 0.5,
      max_output_tokens: 9,
      reasoning: { effort: "high", summary: "auto" },
      top_logprobs: 3,
      include: [
        "reasoning.encrypted_content",
        "message.output_text.logprobs",
        "web_search_call.action.sources",
      ],
      store: false,
      stream: true,
    });
  });

  test("has only the necessary fields", async () => {
    const input = [{ role: "user", content: "Hello" }];
    expect(await exchange.bodyOf({})).toEqual({ model: "some-model", input, ...reasons });
  });

  test("has a warning for each setting that the API does not support", async () => {
    const settings = { stopSequences: ["x"], seed: 1, presencePenalty: 0, frequencyPenalty: 0 };
    const { warnings } = await exchange.generationOf([completed()], { settings, toolChoice: { tool: "x" } });
    expect(warnings).toHaveLength(5);
    for (const name of Object.keys(settings)) expect(warnings.join()).toContain(`settings.${name}`);
    const { body } = exchange.server.received.at(-1) ?? {};
    expect(Object.keys(body ?? {}).sort()).toEqual(["include", "input", "model", "store", "stream"]);
  });

  test("gets distinct valid ids for ids that the API does not accept, the same in call and output", async () => {
    const ids = ["resp:call_0", "resp.call_0", "x".repeat(65)];
    const input = (await inputOf(
      { role: "assistant", content: [], toolCalls: ids.map((toolCallId) => ({ ...toolCall, toolCallId })) },
      ...ids.map((toolCallId): Message => ({
        role: "tool",
        result: {
          toolCallId,
          toolName: "one",
          content: [{ type: "text", text: "ok" }],
          isError: false,
          outcome: "success",
        },
      })),
    )) as { call_id: string; output?: string }[];
    const wireIds = input.map((item) => item.call_id);
    expect(new Set(wireIds.slice(0, 3)).size).toBe(3);
    expect(wireIds.slice(3)).toEqual(wireIds.slice(0, 3));
    for (const id of wireIds) expect(id).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(input.at(-1)?.output).toBe("ok");
  });

  test("loses the data of other providers' parts, and that of Chat Completions", async () => {
    const input = await inputOf({
      role: "assistant",
      content: [
        {
          type: "reasoning",
          text: "x",
          providerData: { provider: "anthropic", data: { item: { type: "reasoning" } } },
        },
        { type: "reasoning", text: "x", providerData: { provider: "openai", data: { field: "reasoning" } } },
        { type: "provider", providerData: { provider: "anthropic", data: { item: { type: "x" } } } },
        { type: "text", text: "I won't.", providerData: { provider: "openai", data: { refusal: true } } },
        {
          type: "tool-call",
          toolCallId: "call_1",
          providerData: { provider: "openai", data: { extra_content: {} } },
        },
      ],
      toolCalls: [toolCall],
    });
    expect(input).toEqual([
      { role: "assistant", content: "I won't." },
      { type: "function_call", call_id: "call_1", name: "one", arguments: '{"x":1}' },
      unanswered,
    ]);
  });

  test("loses reasoning that the server could not find, and the ids that depend on it", async () => {
    const bare = { type: "reasoning", id: "rs_1", summary: [] };
    const generation = await exchange.generationOf([completed({ output: [bare, message, call] })]);
    expect(await inputOf(generation.message)).toEqual([
      { role: "assistant", content: "4" },
      { type: "function_call", call_id: "call_1", name: "one", arguments: '{"x":1}' },
      unanswered,
    ]);
    const settings = { providerOptions: { store: true } };
    const body = await exchange.bodyOf({ messages: [generation.message], settings });
    expect(body).toMatchObject({ store: true, input: [bare, message, call, unanswered] });
  });

  test("loses reasoning at the end of an answer", async () => {
    const cut = { type: "reasoning", id: "rs_2", summary: [], encrypted_content: "c2VhbGVk" };
    const generation = await exchange.generationOf([completed({ output: [message, cut] })]);
    expect(await inputOf(generation.message)).toEqual([message]);
    const earlier = { ...cut, id: "rs_1" };
    const twice = await exchange.generationOf([
      completed({ output: [earlier, message, cut, { ...cut, id: "rs_3" }] }),
    ]);
    expect(await inputOf(twice.message)).toEqual([earlier, message]);
  });

  test("names the program behind a call in the call's output", async () => {
    const caller = { type: "program", caller_id: "call_p" };
    const generation = await exchange.generationOf([done(0, { ...call, caller }), completed()]);
    const result: Message = {
      role: "tool",
      result: { ...toolCall, content: [{ type: "text", text: "ok" }], isError: false, outcome: "success" },
    };
    expect(await inputOf(generation.message, result)).toMatchObject([
      { caller },
      { type: "function_call_output", caller },
    ]);
  });
});

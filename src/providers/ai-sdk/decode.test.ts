import { describe, expect, test } from "vitest";
import { MalformedResponseError } from "../../errors.ts";
import { answerOf, end, ends, eventsOf, languageModel } from "./test-language-model.ts";

const provider = "ai-sdk/maker.chat";

function mark(data: object): object {
  return { provider, data };
}

describe("an answer", () => {
  test("has its blocks in the order of their starts, however they are interleaved", async () => {
    const parts = [
      { type: "text-start", id: "0" },
      { type: "reasoning-start", id: "0" },
      { type: "text-delta", id: "0", delta: "Hel" },
      { type: "reasoning-delta", id: "0", delta: "Hm" },
      { type: "tool-input-start", id: "c", toolName: "look" },
      { type: "text-delta", id: "0", delta: "lo" },
      { type: "tool-input-delta", id: "c", delta: "{}" },
      { type: "reasoning-end", id: "0" },
      { type: "text-end", id: "0" },
      { type: "tool-call", toolCallId: "c", toolName: "look", input: "{}" },
      { type: "text-start", id: "0" },
      { type: "text-delta", id: "0", delta: "!" },
      end("tool-calls", "tool_use"),
    ];
    const { message, text, finishReason, rawFinishReason } = await answerOf(languageModel(parts));
    expect(message.content).toEqual([
      { type: "text", text: "Hello" },
      { type: "reasoning", text: "Hm", providerData: mark({}) },
      { type: "tool-call", toolCallId: "c" },
      { type: "text", text: "!" },
    ]);
    expect({ text, finishReason, rawFinishReason }).toEqual({
      text: "Hello!",
      finishReason: "tool-calls",
      rawFinishReason: "tool_use",
    });
  });

  test.each([
    ["another tool", { toolName: "list", input: '{"a":1}' }],
    ["other arguments", { toolName: "look", input: '{"a":2}' }],
    ["other arguments in another form", { toolName: "look", input: { a: 2 } }],
  ])("with a call that ends with %s than it began with is an error", async (_what, last) => {
    const parts = [
      { type: "tool-input-start", id: "c", toolName: "look" },
      { type: "tool-input-delta", id: "c", delta: '{"a":1}' },
      { type: "tool-call", toolCallId: "c", ...last },
      end("tool-calls", "tool_use"),
    ];
    await expect(answerOf(languageModel(parts))).rejects.toThrow(MalformedResponseError);
  });

  test("stores the last metadata of each part, and the citations", async () => {
    const citations = [{ source: { type: "source", sourceType: "url", id: "1", url: "https://a.example/" } }];
    const parts = [
      { type: "reasoning-start", id: "r", providerMetadata: { maker: { itemId: "r1" } } },
      { type: "reasoning-delta", id: "r", delta: "Hm" },
      { type: "reasoning-delta", id: "r", delta: "", providerMetadata: { maker: { signature: "S==" } } },
      { type: "reasoning-end", id: "r" },
      { type: "reasoning-start", id: "x", providerMetadata: { maker: { redacted: "R==" } } },
      { type: "reasoning-end", id: "x" },
      { type: "text-start", id: "t" },
      { type: "text-delta", id: "t", delta: "Hello" },
      { type: "text-end", id: "t", citations },
      { type: "text-start", id: "e" },
      { type: "text-end", id: "e" },
      {
        type: "tool-call",
        toolCallId: "c",
        toolName: "look",
        input: "{}",
        providerMetadata: { maker: { signature: "C==" } },
      },
      ends.v4,
    ];
    const { message } = await answerOf(languageModel(parts));
    expect(message.content).toEqual([
      { type: "reasoning", text: "Hm", providerData: mark({ metadata: { maker: { signature: "S==" } } }) },
      { type: "reasoning", text: "", providerData: mark({ metadata: { maker: { redacted: "R==" } } }) },
      { type: "text", text: "Hello", providerData: mark({ citations }) },
      {
        type: "tool-call",
        toolCallId: "c",
        providerData: mark({ metadata: { maker: { signature: "C==" } } }),
      },
    ]);
  });

  test("emits a whole call like one in pieces, and prefers its final input", async () => {
    const parts = [
      { type: "tool-call", toolCallId: "a", toolName: "look", input: '{"a":1}' },
      { type: "tool-input-start", id: "b", toolName: "look" },
      { type: "tool-input-delta", id: "b", delta: '{"b":' },
      { type: "tool-input-delta", id: "b", delta: "2 }" },
      { type: "tool-call", toolCallId: "b", toolName: "look", input: '{"b":2}' },
      { type: "tool-input-start", id: "t", toolName: "sql", inputEncoding: "text" },
      { type: "tool-input-delta", id: "t", delta: "SELECT" },
      { type: "tool-call", toolCallId: "t", toolName: "sql", input: '"SELECT"' },
      ends.v4,
    ];
    const events = await eventsOf(languageModel(parts));
    expect(events.flatMap((event) => (event.type === "tool-input-delta" ? [event.text] : []))).toEqual([
      '{"a":1}',
      '{"b":',
      "2 }",
      '"SELECT"',
    ]);
    const calls = events.flatMap((event) => (event.type === "tool-call" ? [event.toolCall.arguments] : []));
    expect(calls).toEqual(['{"a":1}', '{"b":2}', '"SELECT"']);
    expect(events.at(-1)).toMatchObject({ generation: { finishReason: "tool-calls" } });
  });

  test("has calls with the program's names, and with ids that no call of the history has", async () => {
    const call = { type: "tool-call", toolCallId: "call_0", input: "{}" };
    const model = languageModel([
      { ...call, toolName: "look_up_code" },
      { ...call, toolName: "unheard" },
      ends.v4,
    ]);
    const name = "look up/code";
    const first = await answerOf(model, { tools: [{ name, inputSchema: { type: "object" } }] });
    expect(first.toolCalls.map(({ toolCallId }) => toolCallId)).toEqual(["call_0", "call_0_2"]);
    const [tool] = model.calls[0]?.tools ?? [];
    const wired = Reflect.get(tool ?? {}, "name");
    expect(wired).toMatch(/^look_up_code_\w+$/);
    const again = languageModel([{ ...call, toolName: wired }, ends.v4]);
    const second = await answerOf(again, {
      tools: [{ name, inputSchema: { type: "object" } }],
      messages: [{ role: "user", content: "Hello" }, first.message],
    });
    const renamed = { toolCallId: "call_0_3", toolName: name, arguments: "{}", originalId: "call_0" };
    expect(second.toolCalls).toEqual([renamed]);
  });

  test("has the work of the provider's own tools as provider parts", async () => {
    const parts = [
      { type: "tool-input-start", id: "s", toolName: "web_search", providerExecuted: true },
      { type: "tool-input-delta", id: "s", delta: '{"q":"geese"}' },
      {
        type: "tool-call",
        toolCallId: "s",
        toolName: "web_search",
        input: '{"q":"geese"}',
        providerExecuted: true,
      },
      { type: "tool-result", toolCallId: "s", toolName: "web_search", result: "half", preliminary: true },
      { type: "tool-result", toolCallId: "s", toolName: "web_search", result: { hits: 3 } },
      { type: "source", sourceType: "url", id: "1", url: "https://a.example/" },
      { type: "custom", kind: "maker.compaction", providerMetadata: { maker: { id: "c" } } },
      { type: "tool-approval-request", approvalId: "p", toolCallId: "s" },
      { type: "something-new" },
      ends.v4,
    ];
    const { message, toolCalls, warnings } = await answerOf(languageModel(parts));
    expect(toolCalls).toEqual([]);
    expect(message.content).toEqual([
      {
        type: "provider",
        providerData: mark({
          type: "tool-call",
          toolCallId: "s",
          toolName: "web_search",
          input: { q: "geese" },
        }),
      },
      {
        type: "provider",
        providerData: mark({
          type: "tool-result",
          toolCallId: "s",
          toolName: "web_search",
          result: { hits: 3 },
        }),
      },
      {
        type: "provider",
        providerData: mark({ type: "source", sourceType: "url", id: "1", url: "https://a.example/" }),
      },
      {
        type: "provider",
        providerData: mark({ type: "custom", kind: "maker.compaction", metadata: { maker: { id: "c" } } }),
      },
    ]);
    expect(warnings).toEqual([
      `${provider} requests an approval for a tool of its own, which Skein does not support.`,
    ]);
  });

  test("has images and files of every specification as data: URLs", async () => {
    const bytes = Uint8Array.from([1, 2, 3]);
    const address = new URL("https://a.example/v.mp4");
    const parts = [
      { type: "file", mediaType: "image/png", data: { type: "data", data: "AQID" } },
      { type: "file", mediaType: "image/png", data: bytes },
      { type: "file", mediaType: "audio/mp3", data: "AQID", providerMetadata: { maker: { signature: "F" } } },
      { type: "file", mediaType: "video/mp4", data: { type: "url", url: address } },
      { type: "reasoning-file", mediaType: "image/png", data: { type: "data", data: bytes } },
      ends.v4,
    ];
    const { message } = await answerOf(languageModel(parts));
    const image = {
      type: "image",
      url: "data:image/png;base64,AQID",
      mediaType: "image/png",
      providerData: mark({}),
    };
    expect(message.content).toEqual([
      image,
      image,
      {
        type: "file",
        url: "data:audio/mp3;base64,AQID",
        mediaType: "audio/mp3",
        providerData: mark({ metadata: { maker: { signature: "F" } } }),
      },
      { type: "file", url: address.href, mediaType: "video/mp4", providerData: mark({}) },
      {
        type: "provider",
        providerData: mark({
          type: "reasoning-file",
          mediaType: "image/png",
          url: "data:image/png;base64,AQID",
        }),
      },
    ]);
  });

  test("names the provider that answered, and has its warnings", async () => {
    const parts = [
      {
        type: "stream-start",
        warnings: [
          { type: "unsupported", feature: "seed", details: "it is ignored" },
          { type: "compatibility", feature: "reasoning" },
          { type: "deprecated", setting: "topK", message: "use topP" },
          { type: "unsupported-setting", setting: "seed" },
          { type: "unsupported-tool", tool: { type: "function", name: "look" }, details: "not now" },
          { type: "other", message: "Beware." },
        ],
      },
      { type: "response-metadata", id: "resp_1", modelId: "m-1-2026" },
      ends.v4,
    ];
    const { response, warnings } = await answerOf(languageModel(parts, { headers: { "x-request-id": "r" } }));
    expect(response).toEqual({ id: "resp_1", modelId: "m-1-2026", headers: { "x-request-id": "r" } });
    expect(warnings).toEqual([
      `${provider}: unsupported seed: it is ignored`,
      `${provider}: compatibility reasoning`,
      `${provider}: deprecated topK: use topP`,
      `${provider}: unsupported seed`,
      `${provider}: unsupported look: not now`,
      `${provider}: Beware.`,
    ]);
  });

  test("has the usage of each specification; for Anthropic in V2, cache reads and writes are added", async () => {
    const parted = {
      inputTokens: 5,
      outputTokens: 2,
      totalTokens: 7,
      cachedInputTokens: 3,
      cacheWriteTokens: 1,
    };
    expect((await answerOf(languageModel([ends.v3], { version: "v3" }))).usage).toEqual({
      ...parted,
      reasoningTokens: 1,
    });
    const flat = {
      inputTokens: 5,
      outputTokens: 2,
      totalTokens: 9,
      reasoningTokens: 1,
      cachedInputTokens: 3,
    };
    const last = { type: "finish", finishReason: "stop", usage: flat };
    expect((await answerOf(languageModel([last], { version: "v2" }))).usage).toEqual(flat);
    const anthropic = { ...last, providerMetadata: { anthropic: { cacheCreationInputTokens: 4 } } };
    expect((await answerOf(languageModel([anthropic], { version: "v2" }))).usage).toEqual({
      ...flat,
      inputTokens: 12,
      totalTokens: 14,
      cacheWriteTokens: 4,
    });
    const unknown = { inputTokens: undefined, outputTokens: undefined, totalTokens: undefined };
    const nothing = {
      type: "finish",
      finishReason: { unified: "stop" },
      usage: { inputTokens: { total: Number.NaN, cacheRead: -9 }, outputTokens: { total: 1.5 } },
    };
    expect((await answerOf(languageModel([nothing]))).usage).toEqual(unknown);
  });
});

describe("a truncated answer", () => {
  const text = { type: "text-delta", id: "0", delta: "Hel" };

  test.each([
    ["without a finish part", "v4", [text]],
    ["interrupted, as V4 says", "v4", [text, end("interrupted")]],
    ["without a reason, as V3 says", "v3", [text, end("other")]],
    ["for unknown reasons, as V2 says", "v2", [text, { ...ends.v2, finishReason: "unknown" }]],
    ["within a call", "v4", [{ type: "tool-input-start", id: "c", toolName: "look" }, end("stop")]],
  ] as const)("is an error, never an answer: %s", async (_, version, parts) => {
    const error = await answerOf(languageModel(parts, { version })).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(MalformedResponseError);
    expect(error).toMatchObject({ isRetryable: false });
  });

  test("is retryable before any output", async () => {
    await expect(answerOf(languageModel([]))).rejects.toMatchObject({
      code: "malformed-response",
      isRetryable: true,
    });
  });

  test.each(["pause_turn", "compaction"])("for %s says that the model continues", async (raw) => {
    const parts = [
      { type: "text-start", id: "0" },
      { type: "text-delta", id: "0", delta: "I look." },
    ];
    expect(await answerOf(languageModel([...parts, end("stop", raw)]))).toMatchObject({
      shouldContinue: true,
    });
    expect(await answerOf(languageModel([...parts, end("stop", "end_turn")]))).not.toHaveProperty(
      "shouldContinue",
    );
  });

  test("that ends in a call is without the call where the provider reports the finish reason length", async () => {
    const parts = [{ type: "tool-input-start", id: "c", toolName: "look" }, end("length", "max_tokens")];
    expect(await answerOf(languageModel(parts))).toMatchObject({ finishReason: "length", toolCalls: [] });
  });

  const call = { type: "tool-call", toolCallId: "c", toolName: "look", input: "{}" };

  test.each([
    ["an error", { type: "error", error: new Error("overloaded") }],
    ["another call", { ...call, toolCallId: "d" }],
    ["the start of another call", { type: "tool-input-start", id: "d", toolName: "look" }],
    ["an ending that says that it was cut", end("length", "max_tokens")],
  ])("with %s after its end has failed", async (_what, late) => {
    const parts = [call, end("tool-calls", "tool_use"), late];
    await expect(answerOf(languageModel(parts))).rejects.toThrow(/overloaded|continued after its end/);
  });

  test("ignores parts after its end", async () => {
    const parts = [text, ends.v4, { ...text, delta: "lo" }, end("length")];
    expect(await answerOf(languageModel(parts))).toMatchObject({ text: "Hel", finishReason: "stop" });
  });
});

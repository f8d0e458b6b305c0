import { LLMock } from "@copilotkit/aimock";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { OverloadedError, RateLimitError } from "../../errors.ts";
import type { Message } from "../../message/messages.ts";
import type { Model, ModelRequest } from "../../model/types.ts";
import { collect, generationOf } from "../kit/test-collect.ts";
import { anthropic } from "./index.ts";

const mock = new LLMock({ port: 0, chunkSize: 3 });
const tools = [
  { name: "get_weather", inputSchema: { type: "object", properties: { city: { type: "string" } } } },
];
let model: Model;

beforeAll(async () => {
  mock.onMessage("hello", {
    content: "Grüezi mitenand",
    reasoning: "They greet me.",
    reasoningSignature: "EqkE+/==",
    redactedThinking: ["EmwK=="],
  });
  mock.onToolResult("toolu_other", { content: "18 degrees" });
  mock.onMessage("weather", {
    content: "I look.",
    toolCalls: [
      { id: "toolu_weather", name: "get_weather", arguments: '{"city":"Zürich"}' },
      { id: "toolu_other", name: "get_weather", arguments: "{}" },
    ],
  });
  mock.onMessage("slow down", { error: { message: "Too many.", type: "rate_limit_error" }, status: 429 });
  mock.onMessage("overload", { error: { message: "Overloaded", type: "overloaded_error" }, status: 529 });
  await mock.start();
  model = anthropic("claude-sonnet-4-6", { baseURL: mock.url, apiKey: "mock" });
});
afterAll(() => mock.stop());

async function generate(content: string, request: Partial<ModelRequest> = {}) {
  const events = await collect(model.stream({ messages: [{ role: "user", content }], ...request }));
  return generationOf(events);
}

describe("an independent imitation of the Messages API", () => {
  test("is understood when it sends thinking and text", async () => {
    expect(await generate("hello")).toMatchObject({
      text: "Grüezi mitenand",
      message: {
        content: [
          {
            type: "reasoning",
            text: "",
            providerData: { data: { type: "redacted_thinking", data: "EmwK==" } },
          },
          { type: "reasoning", text: "They greet me.", providerData: { data: { signature: "EqkE+/==" } } },
          { type: "text", text: "Grüezi mitenand" },
        ],
      },
      finishReason: "stop",
      rawFinishReason: "end_turn",
    });
  });

  test("calls tools, accepts their results and continues", async () => {
    const first = await generate("weather", { tools });
    expect(first).toMatchObject({ text: "I look.", finishReason: "tool-calls" });
    expect(first.toolCalls.map(({ toolName, arguments: args }) => [toolName, args])).toEqual([
      ["get_weather", '{"city":"Zürich"}'],
      ["get_weather", "{}"],
    ]);
    const results = first.toolCalls.map(({ toolCallId, toolName }): Message => ({
      role: "tool",
      result: {
        toolCallId,
        toolName,
        content: [{ type: "text", text: "18" }],
        isError: false,
        outcome: "success",
      },
    }));
    const messages: Message[] = [{ role: "user", content: "weather" }, first.message, ...results];
    expect(await generate("", { tools, messages })).toMatchObject({
      text: "18 degrees",
      finishReason: "stop",
    });
  });

  test("fails with typed errors", async () => {
    await expect(generate("slow down")).rejects.toBeInstanceOf(RateLimitError);
    await expect(generate("overload")).rejects.toBeInstanceOf(OverloadedError);
  });
});

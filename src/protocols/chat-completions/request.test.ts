import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { InvalidInputError, run } from "skein";
import { openaiErrorOf } from "../kit/openai-error.ts";
import { isReadOrRefused, mangled } from "../kit/test-mangled.ts";
import { scripted } from "../kit/test-scenarios.ts";
import { fromChatCompletionRequest } from "./request.ts";

const user = { role: "user", content: "Hello" };
const weather = { type: "function", function: { name: "weather", parameters: { type: "object" } } };

function calls(...list: readonly (readonly [id: string, name: string])[]): object {
  const toolCalls = list.map(([id, name]) => ({ id, type: "function", function: { name, arguments: "{}" } }));
  return { role: "assistant", content: null, tool_calls: toolCalls };
}

const result = (id: string) => ({ role: "tool", tool_call_id: id, content: "sun" });

test("a plain request", () => {
  expect(fromChatCompletionRequest({ model: "host", messages: [user] })).toEqual({
    model: "host",
    messages: [user],
    tools: [],
    stream: false,
    includeUsage: false,
    settings: {},
  });
});

test("all that agents can do, and what is harmless", () => {
  const schema = { type: "object", properties: { total: { type: "number" } } };
  expect(
    fromChatCompletionRequest({
      model: "host",
      messages: [user],
      tools: [{ type: "function", function: { name: "weather", description: "Weather.", strict: true } }],
      tool_choice: { type: "function", function: { name: "weather" } },
      parallel_tool_calls: false,
      stream: true,
      stream_options: { include_usage: true },
      response_format: { type: "json_schema", json_schema: { name: "total", schema } },
      temperature: 0.5,
      top_p: 0.9,
      max_tokens: 5,
      max_completion_tokens: 10,
      stop: ["a", "b"],
      seed: 7,
      presence_penalty: 1,
      frequency_penalty: -1,
      reasoning_effort: "low",
      user: "ann",
      n: 1,
      logprobs: false,
      metadata: { a: "b" },
      store: true,
      service_tier: "auto",
      modalities: ["text"],
      audio: null,
      something_new: 1,
    }),
  ).toEqual({
    model: "host",
    messages: [user],
    tools: [
      { name: "weather", description: "Weather.", input: { type: "object", properties: {} }, strict: true },
    ],
    toolChoice: { tool: "weather" },
    parallelToolCalls: false,
    stream: true,
    includeUsage: true,
    responseFormat: schema,
    settings: {
      temperature: 0.5,
      topP: 0.9,
      maxOutputTokens: 10,
      stopSequences: ["a", "b"],
      seed: 7,
      presencePenalty: 1,
      frequencyPenalty: -1,
      reasoningEffort: "low",
    },
    user: "ann",
  });
});

test("parts are text, images, files and audio", async () => {
  const data = "data:application/pdf;base64,AAAA";
  const { messages } = fromChatCompletionRequest({
    model: "host",
    messages: [
      {
        role: "developer",
        content: [
          { type: "text", text: "Be " },
          { type: "text", text: "brief." },
        ],
      },
      {
        role: "user",
        content: [
          { type: "text", text: "What is it?" },
          { type: "image_url", image_url: { url: "https://example.com/a.png", detail: "low" } },
          { type: "file", file: { file_data: data, filename: "a.pdf" } },
          { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } },
        ],
      },
    ],
  });
  expect(messages).toEqual([
    { role: "system", content: "Be brief." },
    {
      role: "user",
      content: [
        { type: "text", text: "What is it?" },
        { type: "image", url: "https://example.com/a.png" },
        { type: "file", url: data, filename: "a.pdf" },
        { type: "file", url: "data:audio/wav;base64,AAAA" },
      ],
    },
  ]);
  await expect(run(scripted(["A picture."]), messages)).resolves.toMatchObject({ text: "A picture." });
});

test("calls of tools that are not the request's are left out with their results", async () => {
  const { messages } = fromChatCompletionRequest({
    model: "host",
    tools: [weather],
    messages: [
      user,
      calls(["1", "weather"], ["2", "pay"]),
      result("2"),
      result("1"),
      calls(["3", "pay"]),
      result("3"),
    ],
  });
  expect(messages).toMatchObject([
    user,
    { role: "assistant", toolCalls: [{ toolCallId: "1", toolName: "weather" }] },
    { role: "tool", result: { toolCallId: "1", toolName: "weather", outcome: "success" } },
  ]);
  expect(messages).toHaveLength(3);
  await expect(run(scripted(["Sunny."]), messages)).resolves.toMatchObject({ status: "completed" });
});

const deep: unknown = Array.from({ length: 200 }).reduce((inner) => [inner], "x");

describe("a wrong request is refused, naming the field:", () => {
  test.each([
    ["", null],
    ["", [user]],
    ["", { model: "host", messages: [user], metadata: deep }],
    ["model", { messages: [user] }],
    ["model", { model: "", messages: [user] }],
    ["messages", { model: "host" }],
    ["messages", { model: "host", messages: [] }],
    ["messages", { model: "host", messages: Array.from({ length: 5_000 }, () => user) }],
    ["messages[0]", { model: "host", messages: ["Hello"] }],
    ["messages[0].role", { model: "host", messages: [{ role: "function", content: "x" }] }],
    ["messages[0].role", { model: "host", messages: [Object.create(user)] }],
    ["messages[0].content", { model: "host", messages: [{ role: "user" }] }],
    [
      "messages[0].content[0].type",
      { model: "host", messages: [{ role: "user", content: [{ type: "video" }] }] },
    ],
    [
      "messages[0].content[0].image_url.url",
      {
        model: "host",
        messages: [
          { role: "user", content: [{ type: "image_url", image_url: { url: "file:///etc/passwd" } }] },
        ],
      },
    ],
    [
      "messages[0].content[0].file",
      {
        model: "host",
        messages: [{ role: "user", content: [{ type: "file", file: { file_id: "file-1" } }] }],
      },
    ],
    ["messages[1].tool_call_id", { model: "host", messages: [user, result("1")] }],
    [
      "messages[3].tool_call_id",
      { model: "host", messages: [user, calls(["1", "pay"]), result("1"), result("1")] },
    ],
    ["messages[2]", { model: "host", tools: [weather], messages: [user, calls(["1", "weather"]), user] }],
    ["messages[1]", { model: "host", tools: [weather], messages: [user, calls(["1", "weather"])] }],
    ["messages[0].tool_calls[1].id", { model: "host", messages: [calls(["1", "a"], ["1", "b"])] }],
    ["tools[0].type", { model: "host", messages: [user], tools: [{ type: "web_search" }] }],
    [
      "tools[0].function.name",
      { model: "host", messages: [user], tools: [{ type: "function", function: { name: "a b" } }] },
    ],
    ["tools[1].function.name", { model: "host", messages: [user], tools: [weather, weather] }],
    [
      "tools[0].function.parameters",
      {
        model: "host",
        messages: [user],
        tools: [{ type: "function", function: { name: "a", parameters: JSON.parse('{"__proto__":{}}') } }],
      },
    ],
    [
      "tool_choice",
      { model: "host", messages: [user], tool_choice: { type: "function", function: { name: "pay" } } },
    ],
    ["tool_choice", { model: "host", messages: [user], tool_choice: "maybe" }],
    ["response_format.type", { model: "host", messages: [user], response_format: { type: "xml" } }],
    [
      "response_format.json_schema.schema",
      {
        model: "host",
        messages: [user],
        response_format: { type: "json_schema", json_schema: { name: "a", schema: { type: "array" } } },
      },
    ],
    ["n", { model: "host", messages: [user], n: 2 }],
    ["logprobs", { model: "host", messages: [user], logprobs: true }],
    ["audio", { model: "host", messages: [user], audio: { voice: "alloy" } }],
    ["modalities", { model: "host", messages: [user], modalities: ["text", "audio"] }],
    ["functions", { model: "host", messages: [user], functions: [] }],
    ["stream", { model: "host", messages: [user], stream: "yes" }],
    [
      "stream_options.include_usage",
      { model: "host", messages: [user], stream_options: { include_usage: 1 } },
    ],
    ["temperature", { model: "host", messages: [user], temperature: 3 }],
    ["temperature", { model: "host", messages: [user], temperature: Number.NaN }],
    ["max_tokens", { model: "host", messages: [user], max_tokens: 1.5 }],
    ["stop", { model: "host", messages: [user], stop: ["a", "b", "c", "d", "e"] }],
    ["reasoning_effort", { model: "host", messages: [user], reasoning_effort: "huge" }],
  ])("%s in %j", async (param, body) => {
    let error: unknown;
    try {
      fromChatCompletionRequest(body);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(InvalidInputError);
    expect(error).toMatchObject({ data: { path: param } });
    const response = openaiErrorOf(error);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { type: "invalid_request_error", param } });
  });
});

test("whatever stands in any place, the request is read, or refused by the name of the field", () => {
  const body = {
    model: "host",
    messages: [
      { role: "system", content: [{ type: "text", text: "Be brief." }] },
      { role: "user", content: [{ type: "image_url", image_url: { url: "https://a.b/c" } }] },
      calls(["1", "weather"]),
      result("1"),
    ],
    tools: [weather],
    tool_choice: { type: "function", function: { name: "weather" } },
    response_format: { type: "json_schema", json_schema: { name: "a", schema: { type: "object" } } },
    stream_options: { include_usage: true },
    stop: ["a"],
    temperature: 1,
    user: "ann",
  };
  expect(isReadOrRefused(fromChatCompletionRequest, body)).toBe(true);
  const property = fc.property(mangled(body), (each) => isReadOrRefused(fromChatCompletionRequest, each));
  expect(() => fc.assert(property, { numRuns: 3_000, seed: 1 })).not.toThrow();
});

import { describe, expect, test } from "vitest";
import type { Message } from "../../message/messages.ts";
import type { ModelRequest, ModelSettings } from "../../model/types.ts";
import type { JsonObject } from "../../base/util/json.ts";
import { unmarkedJson } from "../kit/test-unmarked.ts";
import { type BuiltRequest, buildRequest } from "./request.ts";

const messages: readonly Message[] = [{ role: "user", content: "Hi" }];
const tools = [{ name: "f", description: "Does it.", inputSchema: { type: "object", properties: {} } }];

function build(
  request: Partial<ModelRequest>,
  modelId = "claude-opus-4-6",
  isFirstParty = true,
): BuiltRequest {
  return buildRequest({ messages, ...request }, { provider: "anthropic", modelId, isFirstParty });
}

function withSettings(settings: ModelSettings, modelId?: string): BuiltRequest {
  return build({ settings }, modelId);
}

test("a request has only the necessary fields", () => {
  expect(build({})).toMatchObject({ betas: [], warnings: [] });
  expect(build({}).body).toEqual({
    model: "claude-opus-4-6",
    max_tokens: 64_000,
    stream: true,
    messages: [{ role: "user", content: [{ type: "text", text: "Hi" }] }],
  });
});

test("the history comes last, so that the next request starts with the same text", () => {
  const request = {
    instructions: "Be kind.",
    tools,
    settings: { providerOptions: { metadata: { user_id: "u" } } },
  };
  const { body } = build(request);
  expect(Object.keys(body)).toEqual([
    "model",
    "max_tokens",
    "stream",
    "tools",
    "system",
    "metadata",
    "messages",
  ]);
  const next = build({
    ...request,
    messages: [
      ...messages,
      { role: "assistant", content: [{ type: "text", text: "Yes?" }], toolCalls: [] },
      ...messages,
    ],
  });
  expect(unmarkedJson(next.body).startsWith(unmarkedJson(body).slice(0, -2))).toBe(true);
});

describe("tools", () => {
  test("have the form that the API requires", () => {
    const odd = {
      name: "shop.refund",
      inputSchema: { properties: { id: { type: "number" } } },
      strict: true,
    };
    expect(build({ tools: [...tools, odd], settings: { cache: false } }).body["tools"]).toEqual([
      { name: "f", description: "Does it.", input_schema: { type: "object", properties: {} } },
      {
        name: expect.stringMatching(/^shop_refund_\w+$/),
        input_schema: {
          type: "object",
          properties: { id: { type: "number" } },
          required: [],
          additionalProperties: false,
        },
        strict: true,
      },
    ]);
  });

  test("whose schema has no strict form are sent without strict, with a warning", () => {
    const inputSchema = {
      type: "object",
      properties: { prices: { type: "object", additionalProperties: { type: "number" } } },
    };
    const { body, warnings } = build({
      tools: [{ name: "f", inputSchema, strict: true }],
      settings: { cache: false },
    });
    expect(body["tools"]).toEqual([{ name: "f", input_schema: inputSchema, strict: false }]);
    expect(warnings).toEqual(["The tool f is sent without strict: $.prices accepts any keys."]);
  });

  test.each<[Partial<ModelRequest>, unknown]>([
    [{}, undefined],
    [{ toolChoice: "auto" }, { type: "auto" }],
    [{ toolChoice: "required" }, { type: "any" }],
    [{ toolChoice: "none" }, { type: "none" }],
    [{ toolChoice: { tool: "f" } }, { type: "tool", name: "f" }],
    [{ parallelToolCalls: true }, undefined],
    [{ parallelToolCalls: false }, { type: "auto", disable_parallel_tool_use: true }],
    [
      { toolChoice: "required", parallelToolCalls: false },
      { type: "any", disable_parallel_tool_use: true },
    ],
    [{ toolChoice: "none", parallelToolCalls: false }, { type: "none" }],
  ])("%o chooses %o", (request, choice) => {
    expect(build({ tools, ...request }).body["tool_choice"]).toEqual(choice);
    expect(build(request).body).not.toHaveProperty("tool_choice");
  });

  test("the tools of a history with calls are declared if the agent has none", () => {
    const toolCalls = [{ toolCallId: "a", toolName: "f", arguments: "{}" }];
    const content = [{ type: "tool-call" as const, toolCallId: "a" }];
    const result = {
      toolCallId: "a",
      toolName: "f",
      content: [],
      isError: false,
      outcome: "success" as const,
    };
    const called: Message[] = [
      ...messages,
      { role: "assistant", content, toolCalls },
      { role: "tool", result },
    ];
    expect(build({ messages: called, toolChoice: "required" }).body).toMatchObject({
      tools: [{ name: "f", input_schema: { type: "object" } }],
      tool_choice: { type: "none" },
    });
  });

  test("a model that cannot be forced to call a tool may choose, with a warning", () => {
    const { body, warnings } = build(
      { tools, toolChoice: { tool: "f" }, parallelToolCalls: false },
      "claude-opus-5-5",
    );
    expect(body["tool_choice"]).toEqual({ type: "auto", disable_parallel_tool_use: true });
    expect(warnings).toEqual(["This model cannot be forced to call a tool: toolChoice is sent as auto."]);
  });
});

describe("settings", () => {
  test("get the API's names", () => {
    const settings = { maxOutputTokens: 100, temperature: 0.5, stopSequences: ["END", " "] };
    const { body, warnings } = withSettings(settings);
    expect(body).toMatchObject({ max_tokens: 100, temperature: 0.5, stop_sequences: ["END"] });
    expect(warnings).toEqual(["The Messages API does not accept a blank stop sequence: it is left out."]);
    expect(withSettings({ topP: 0.9 }).body).toMatchObject({ top_p: 0.9 });
  });

  test("what the API does not support is a warning", () => {
    const settings = { seed: 1, presencePenalty: 0, frequencyPenalty: 1, logprobs: true, topLogprobs: 2 };
    const { body, warnings } = withSettings(settings);
    expect(Object.keys(body)).toEqual(["model", "max_tokens", "stream", "messages"]);
    expect(warnings).toEqual(
      Object.keys(settings).map((name) => `The Messages API does not support ${name}: it is left out.`),
    );
    expect(withSettings({ logprobs: false }).warnings).toEqual([]);
  });

  test.each([
    ["claude-opus-4-7", { temperature: 0.5, topP: 0.9 }, {}, 1],
    ["claude-opus-4-6", { temperature: 0.5, topP: 0.9 }, { temperature: 0.5 }, 1],
    ["claude-3-5-haiku-20241022", { temperature: 0.5, topP: 0.9 }, { temperature: 0.5, top_p: 0.9 }, 0],
    ["qwen3", { temperature: 0.5, topP: 0.9 }, { temperature: 0.5, top_p: 0.9 }, 0],
    ["claude-opus-4-6", { temperature: 1.7 }, { temperature: 1 }, 1],
    ["claude-opus-4-6", { temperature: 0, reasoningEffort: "high" as const }, {}, 1],
    ["claude-opus-4-6", { temperature: 0, reasoningEffort: "none" as const }, { temperature: 0 }, 0],
  ])("%s with %o samples with %o", (modelId, settings, expected, count) => {
    const { body, warnings } = withSettings(settings, modelId);
    const { temperature, top_p } = body;
    expect({
      ...(temperature !== undefined && { temperature }),
      ...(top_p !== undefined && { top_p }),
    }).toEqual(expected);
    expect(warnings).toHaveLength(count);
  });

  test("provider options extend or replace the fields of thinking", () => {
    const thinking = (value: JsonObject) =>
      withSettings({ reasoningEffort: "low", providerOptions: { thinking: value } }, "claude-opus-4-8").body[
        "thinking"
      ];
    expect(thinking({ display: "omitted" })).toEqual({ type: "adaptive", display: "omitted" });
    expect(thinking({ type: "disabled" })).toEqual({ type: "disabled" });
  });

  test("provider options win, and are added to tools and output_config", () => {
    const search = { type: "web_search_20250305", name: "web_search" };
    const { body } = build({
      tools,
      settings: {
        reasoningEffort: "low",
        providerOptions: {
          tools: [search],
          output_config: { format: { type: "json_schema" } },
          max_tokens: 7,
          top_k: 5,
        },
      },
    });
    expect(body).toMatchObject({
      max_tokens: 7,
      top_k: 5,
      tools: [{ name: "f" }, search],
      output_config: { effort: "low", format: { type: "json_schema" } },
    });
  });
});

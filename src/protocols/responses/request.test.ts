import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { InvalidInputError, run } from "skein";
import { isReadOrRefused, mangled } from "../kit/test-mangled.ts";
import { scripted } from "../kit/test-scenarios.ts";
import { fromResponsesRequest } from "./request.ts";

const weather = { type: "function", name: "weather", parameters: { type: "object" }, strict: true };
const functionCall = (id: string, name = "weather") => ({
  type: "function_call",
  call_id: id,
  name,
  arguments: "{}",
});
const output = (id: string) => ({ type: "function_call_output", call_id: id, output: "sun" });

test("a plain request", () => {
  expect(fromResponsesRequest({ model: "host", input: "Hello" })).toEqual({
    model: "host",
    input: [{ role: "user", content: "Hello" }],
    results: [],
    decisions: [],
    tools: [],
    stream: false,
    background: false,
    store: true,
    settings: {},
    metadata: {},
    echo: {
      instructions: null,
      max_output_tokens: null,
      parallel_tool_calls: true,
      reasoning: { effort: null, summary: null },
      store: true,
      temperature: 1,
      text: { format: { type: "text" } },
      tool_choice: "auto",
      tools: [],
      top_p: 1,
    },
  });
});

test("all that agents can do, and what is harmless", () => {
  const schema = { type: "object", properties: { total: { type: "number" } } };
  const request = fromResponsesRequest({
    model: "host",
    input: [{ role: "user", content: [{ type: "input_text", text: "Hello" }] }],
    instructions: "Be brief.",
    tools: [weather],
    tool_choice: { type: "function", name: "weather" },
    previous_response_id: "resp_1",
    stream: true,
    background: true,
    text: { format: { type: "json_schema", name: "total", schema, strict: true }, verbosity: "low" },
    temperature: 0.5,
    max_output_tokens: 10,
    reasoning: { effort: "low", summary: "auto" },
    metadata: { order: "7" },
    parallel_tool_calls: false,
    include: ["reasoning.encrypted_content"],
    truncation: "auto",
    service_tier: "auto",
    user: "ann",
  });
  expect(request).toMatchObject({
    input: [{ role: "user", content: [{ type: "text", text: "Hello" }] }],
    instructions: "Be brief.",
    tools: [{ name: "weather", input: { type: "object" }, strict: true }],
    toolChoice: { tool: "weather" },
    parallelToolCalls: false,
    previousResponseId: "resp_1",
    stream: true,
    background: true,
    responseFormat: schema,
    settings: { temperature: 0.5, maxOutputTokens: 10, reasoningEffort: "low" },
    metadata: { order: "7" },
    user: "ann",
  });
  expect(request.echo).toMatchObject({ text: { format: { name: "total", schema } }, temperature: 0.5 });
});

test.each(["conv_1", { id: "conv_1" }])("the conversation %j", (conversation) => {
  expect(fromResponsesRequest({ model: "host", conversation, input: "Hi" })).toMatchObject({
    conversation: "conv_1",
    echo: { conversation: { id: "conv_1" } },
  });
});

test("with a history of the server's, only what is new is taken", () => {
  const { input, results, decisions } = fromResponsesRequest({
    model: "host",
    previous_response_id: "resp_1",
    input: [
      { role: "assistant", content: "I paid." },
      { type: "reasoning", id: "rs_1", summary: [] },
      functionCall("1", "pay"),
      output("1"),
      { ...output("2"), output: [{ type: "input_image", image_url: "data:image/png;base64,AAAA" }] },
      { type: "mcp_approval_response", approval_request_id: "a1", approve: true },
      { type: "mcp_approval_response", approval_request_id: "a2", approve: false, reason: "No." },
      { type: "item_reference", id: "msg_1" },
      { type: "message", role: "developer", content: "Be brief." },
      { role: "user", content: "Go on." },
    ],
  });
  expect(input).toEqual([
    { role: "system", content: "Be brief." },
    { role: "user", content: "Go on." },
  ]);
  expect(results).toEqual([
    { toolCallId: "1", content: "sun" },
    { toolCallId: "2", content: [{ type: "image", url: "data:image/png;base64,AAAA" }] },
  ]);
  expect(decisions).toEqual([
    { approvalId: "a1", decision: "approve" },
    { approvalId: "a2", decision: "deny", reason: "No." },
  ]);
});

test("without one, the client's history is it, but for calls of tools that are not the request's", async () => {
  const { input, results } = fromResponsesRequest({
    model: "host",
    tools: [weather],
    input: [
      { role: "user", content: "Hello" },
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "Well." }] },
      functionCall("1"),
      functionCall("2", "pay"),
      functionCall("3"),
      output("3"),
      output("2"),
      output("1"),
    ],
  });
  expect(results).toEqual([]);
  expect(input).toMatchObject([
    { role: "user" },
    { role: "assistant", content: "Well." },
    { role: "assistant", toolCalls: [{ toolCallId: "1" }, { toolCallId: "3" }] },
    { role: "tool", result: { toolCallId: "3" } },
    { role: "tool", result: { toolCallId: "1" } },
  ]);
  expect(input).toHaveLength(5);
  await expect(run(scripted(["Sunny."]), input)).resolves.toMatchObject({ status: "completed" });
});

describe("a wrong request is refused, naming the field:", () => {
  test.each([
    ["", "Hello"],
    ["model", { input: "Hi" }],
    ["input", { model: "host", input: 7 }],
    ["input[0]", { model: "host", input: ["Hi"] }],
    ["input[0]", { model: "host", input: [{ type: "item_reference", id: "msg_1" }] }],
    ["input[0].type", { model: "host", input: [{ type: "computer_call" }] }],
    ["input[0].role", { model: "host", input: [{ role: "tool", content: "x" }] }],
    ["input[0].content", { model: "host", input: [{ role: "user" }] }],
    [
      "input[0].content[0]",
      { model: "host", input: [{ role: "user", content: [{ type: "input_image", file_id: "f" }] }] },
    ],
    [
      "input[0].content[0].type",
      {
        model: "host",
        input: [{ role: "developer", content: [{ type: "input_image", image_url: "https://a.b/c" }] }],
      },
    ],
    ["input[0].call_id", { model: "host", input: [output("1")] }],
    ["input[0]", { model: "host", tools: [weather], input: [functionCall("1")] }],
    [
      "input[0]",
      {
        model: "host",
        tools: [weather],
        input: [functionCall("1"), { role: "user", content: "x" }, output("1")],
      },
    ],
    ["input[1].call_id", { model: "host", previous_response_id: "r", input: [output("1"), output("1")] }],
    [
      "input[0].approve",
      { model: "host", input: [{ type: "mcp_approval_response", approval_request_id: "a" }] },
    ],
    [
      "input[1].approval_request_id",
      {
        model: "host",
        input: [true, false].map((approve) => ({
          type: "mcp_approval_response",
          approval_request_id: "a",
          approve,
        })),
      },
    ],
    ["tools[0].type", { model: "host", input: "Hi", tools: [{ type: "mcp", server_label: "x" }] }],
    ["tool_choice.type", { model: "host", input: "Hi", tool_choice: { type: "allowed_tools" } }],
    ["previous_response_id", { model: "host", input: "Hi", previous_response_id: "r", conversation: "c" }],
    ["prompt", { model: "host", input: "Hi", prompt: { id: "p" } }],
    ["background", { model: "host", input: "Hi", background: true, store: false }],
    ["text.format.type", { model: "host", input: "Hi", text: { format: { type: "grammar" } } }],
    ["reasoning.effort", { model: "host", input: "Hi", reasoning: { effort: "huge" } }],
    [
      "metadata",
      {
        model: "host",
        input: "Hi",
        metadata: Object.fromEntries(Array.from({ length: 17 }, (_, i) => [i, ""])),
      },
    ],
    ["metadata.a", { model: "host", input: "Hi", metadata: { a: 1 } }],
    ["top_logprobs", { model: "host", input: "Hi", top_logprobs: 2 }],
    ["max_output_tokens", { model: "host", input: "Hi", max_output_tokens: 0 }],
  ])("%s in %j", (param, body) => {
    let error: unknown;
    try {
      fromResponsesRequest(body);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(InvalidInputError);
    expect(error).toMatchObject({ data: { path: param } });
  });
});

test.each([undefined, "resp_1"])(
  "whatever stands in any place, the request is read, or refused by the name of the field, after %s",
  (previous) => {
    const body = {
      model: "host",
      previous_response_id: previous,
      input: [
        { role: "developer", content: "Be brief." },
        { role: "user", content: [{ type: "input_file", file_data: "data:,a", filename: "a" }] },
        functionCall("1"),
        output("1"),
        { type: "mcp_approval_response", approval_request_id: "a", approve: true, reason: "Yes." },
      ],
      tools: [weather],
      tool_choice: { type: "function", name: "weather" },
      text: { format: { type: "json_schema", name: "a", schema: { type: "object" } } },
      metadata: { a: "b" },
      reasoning: { effort: "low" },
    };
    expect(isReadOrRefused(fromResponsesRequest, body)).toBe(true);
    const property = fc.property(mangled(body), (each) => isReadOrRefused(fromResponsesRequest, each));
    expect(() => fc.assert(property, { numRuns: 3_000, seed: 1 })).not.toThrow();
  },
);

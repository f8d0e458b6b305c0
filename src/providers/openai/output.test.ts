import { expect, test } from "vitest";
import { Agent } from "../../agent/agent.ts";
import type { OutputSpec } from "../../model/types.ts";
import { run } from "../../run/run.ts";
import { tool } from "../../tool/define.ts";
import { openai, type OpenAIOptions } from "./index.ts";

const schema = {
  type: "object",
  properties: { city: { type: "string", minLength: 2 }, days: { type: "integer", minimum: 1 } },
  required: ["city"],
  additionalProperties: false,
};
const spec: OutputSpec = { name: "final_answer", schema };

/** The schema in strict mode: all properties are required, and optional ones may be null. */
const strict = {
  type: "object",
  properties: {
    city: { type: "string", description: "(minLength: 2)" },
    days: { type: ["integer", "null"], minimum: 1 },
  },
  required: ["city", "days"],
  additionalProperties: false,
};

const ping = tool({ name: "ping", input: { type: "object", properties: {} }, execute: () => "pong" });

/** A `fetch` that answers for OpenAI's own host, and the bodies that it received. */
function exchange(...answers: readonly object[]): {
  options: OpenAIOptions;
  bodies: Record<string, unknown>[];
} {
  const bodies: Record<string, unknown>[] = [];
  const fetch: typeof globalThis.fetch = (_, init) => {
    bodies.push(JSON.parse(typeof init?.body === "string" ? init.body : "{}"));
    return Promise.resolve(Response.json(answers[bodies.length - 1]));
  };
  return { options: { apiKey: "key-for-tests", baseURL: "https://api.openai.com/v1", fetch }, bodies };
}

const saying = (content: string | null, toolName?: string): object => ({
  id: "c",
  choices: [
    {
      index: 0,
      finish_reason: toolName ? "tool_calls" : "stop",
      message: {
        role: "assistant",
        content,
        ...(toolName && {
          tool_calls: [{ id: "call_1", type: "function", function: { name: toolName, arguments: "{}" } }],
        }),
      },
    },
  ],
});

test("Chat Completions gets the strict schema, together with tools; null values become absent properties", async () => {
  const { options, bodies } = exchange(saying(null, "ping"), saying('{"city":"Paris","days":null}'));
  const agent = new Agent({ name: "A", model: openai("gpt-5.2", options), tools: [ping], output: schema });
  const result = await run(agent, "Where?");
  expect(result).toMatchObject({ status: "completed", output: { city: "Paris" }, warnings: [] });
  expect(result.output).not.toHaveProperty("days");
  const request = {
    model: "gpt-5.2",
    messages: [{ role: "user", content: "Where?" }],
    tools: [{ type: "function", function: { name: "ping", parameters: { type: "object", properties: {} } } }],
    response_format: {
      type: "json_schema",
      json_schema: { name: "final_answer", schema: strict, strict: true },
    },
    stream: true,
    stream_options: { include_usage: true },
  };
  expect(bodies[0]).toEqual(request);
  expect(bodies[1]).toEqual({
    ...request,
    messages: [
      ...request.messages,
      expect.objectContaining({ role: "assistant", tool_calls: [expect.objectContaining({ id: "call_1" })] }),
      { role: "tool", tool_call_id: "call_1", content: "pong" },
    ],
  });
});

test("the Responses API gets it in text.format", async () => {
  const { options, bodies } = exchange({
    object: "response",
    id: "r",
    status: "completed",
    output: [
      {
        type: "message",
        id: "m",
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text: '{"city":"Paris","days":2}', annotations: [] }],
      },
    ],
  });
  const agent = new Agent({ name: "A", model: openai.responses("gpt-5.2", options), output: schema });
  expect((await run(agent, "Where?")).output).toEqual({ city: "Paris", days: 2 });
  expect(bodies[0]).toMatchObject({
    text: { format: { type: "json_schema", name: "final_answer", schema: strict, strict: true } },
  });
  expect(bodies[0]).not.toHaveProperty("tools");
});

test("a refusal is not corrected: the run is incomplete", async () => {
  const message = { role: "assistant", content: null, refusal: "I cannot help with that." };
  const { options, bodies } = exchange({ id: "c", choices: [{ index: 0, finish_reason: "stop", message }] });
  const agent = new Agent({ name: "A", model: openai("gpt-5.2", options), output: schema });
  expect(await run(agent, "Where?")).toMatchObject({ status: "incomplete", output: undefined });
  expect(bodies).toHaveLength(1);
});

test("with a schema that has no strict form, or an older model, the answer is a call of a tool", async () => {
  const open = { type: "object", additionalProperties: { type: "number" } };
  for (const [modelId, output] of [
    ["gpt-5.2", open],
    ["gpt-4-turbo", schema],
  ] as const) {
    const answer = saying(null, "final_answer");
    const { options, bodies } = exchange(answer, answer, answer);
    await run(new Agent({ name: "A", model: openai(modelId, options), output }), "Where?");
    expect(bodies[0]).not.toHaveProperty("response_format");
    expect(bodies[0]).toMatchObject({
      tools: [{ type: "function", function: { name: "final_answer", parameters: output } }],
      tool_choice: { type: "function", function: { name: "final_answer" } },
    });
  }
});

test.each([
  ["gpt-5.2", {}, true],
  ["gpt-4o", {}, true],
  ["gpt-4.1-mini", {}, true],
  ["ft:gpt-4o-mini-2024-07-18:acme::1", {}, true],
  ["o3", {}, true],
  ["my-deployment", { baseURL: "https://acme.openai.azure.com/openai/v1" }, true],
  ["gpt-3.5-turbo", {}, false],
  ["gpt-4", {}, false],
  ["gpt-4-0613", {}, false],
  ["gpt-4o-2024-05-13", {}, false],
  ["o1-mini", {}, false],
  ["qwen3", { baseURL: "http://localhost:11434/v1" }, false],
  ["qwen3", { baseURL: "http://localhost:11434/v1", structuredOutput: true }, true],
  ["gpt-5.2", { structuredOutput: false }, false],
])("%s with %j supports an output schema: %s", (modelId, options, expected) => {
  expect(openai(modelId, options).supportsOutput?.(spec)).toBe(expected);
  expect(openai.responses(modelId, options).supportsOutput?.(spec)).toBe(expected);
});

test("an output schema without a strict form is sent without strict, with a warning", async () => {
  const { options, bodies } = exchange(saying("{}"));
  const output = { name: "any", schema: { type: "object", additionalProperties: true } };
  const events = await Array.fromAsync(
    openai("gpt-5.2", options).stream({ messages: [{ role: "user", content: "Hi" }], output }),
  );
  expect(bodies[0]?.["response_format"]).toEqual({
    type: "json_schema",
    json_schema: { ...output, strict: false },
  });
  const last = events.at(-1);
  expect(last?.type === "finish" && last.generation.warnings).toEqual([
    "The output schema is sent without strict: $ accepts any keys.",
  ]);
});

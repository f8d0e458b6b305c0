import { expect, test } from "vitest";
import { Agent } from "../../agent/agent.ts";
import { run, stream } from "../../run/run.ts";
import { tool } from "../../tool/define.ts";
import { block, messageStart, textBlock } from "./fixtures/answers.ts";
import { frame, sendEvents, serve } from "../kit/test-server.ts";
import { unmarkedJson } from "../kit/test-unmarked.ts";
import { anthropic } from "./index.ts";

const schema = {
  type: "object",
  properties: { city: { type: "string" }, days: { type: "integer", minimum: 1 } },
  required: ["city"],
  additionalProperties: false,
};
const ping = tool({ name: "ping", input: { type: "object", properties: {} }, execute: () => "pong" });

/** The stream of an answer with one text or one call. */
function answer(stopReason: string, ...blocks: readonly { readonly type: string }[]): string {
  return frame([
    messageStart(),
    ...blocks,
    {
      type: "message_delta",
      delta: { stop_reason: stopReason, stop_sequence: null },
      usage: { output_tokens: 9 },
    } as {
      type: string;
    },
    { type: "message_stop" },
  ]);
}

const calls = (name: string, input: string): string =>
  answer(
    "tool_use",
    ...block(
      0,
      { type: "tool_use", id: `toolu_${name}`, name, input: {} },
      { type: "input_json_delta", partial_json: input },
    ),
  );

test("a newer Claude gets the output schema, together with its effort and tools", async () => {
  const answers = [calls("ping", "{}"), answer("end_turn", ...textBlock(0, '{"city":', '"Paris"}'))];
  await using server = await serve((response) => sendEvents(response, [answers.shift() ?? ""]));
  const model = anthropic("claude-opus-4-6", { baseURL: server.baseURL, apiKey: "key" });
  const agent = new Agent({
    name: "A",
    model,
    tools: [ping],
    output: schema,
    settings: { reasoningEffort: "low" },
  });
  const partials: unknown[] = [];
  const running = stream(agent, "Where?");
  for await (const event of running)
    if (event.type === "output-delta") partials.push(structuredClone(event.partial));
  expect(await running.result).toMatchObject({
    status: "completed",
    output: { city: "Paris" },
    warnings: [],
  });
  expect(partials.at(-1)).toEqual({ city: "Paris" });
  const [first, second] = server.requests.map(({ body }) => body);
  expect(first?.["output_config"]).toEqual({
    effort: "low",
    format: {
      type: "json_schema",
      schema: {
        ...schema,
        properties: {
          city: { type: "string" },
          days: { type: "integer", description: "(minimum: 1)" },
        },
      },
    },
  });
  expect(first?.["tool_choice"]).toBeUndefined();
  // The second request starts with the same text as the first.
  const start = unmarkedJson(first).slice(0, -2);
  expect(unmarkedJson(second).startsWith(start)).toBe(true);
});

test("an older Claude answers with a call of a tool, which has a result when the conversation continues", async () => {
  const answers = [calls("final_answer", '{"city":"Paris"}'), calls("final_answer", '{"city":"Nice"}')];
  await using server = await serve((response) => sendEvents(response, [answers.shift() ?? ""]));
  const model = anthropic("claude-sonnet-4-0", { baseURL: server.baseURL, apiKey: "key" });
  const agent = new Agent({ name: "A", model, output: schema });
  const first = await run(agent, "Where?");
  expect(first.output).toEqual({ city: "Paris" });
  const history = [...first.state.messages, { role: "user", content: "And then?" } as const];
  expect((await run(agent, history)).output).toEqual({ city: "Nice" });
  const [firstBody, secondBody] = server.requests.map(({ body }) => body);
  expect(firstBody).not.toHaveProperty("output_config");
  expect(firstBody).toMatchObject({
    tools: [{ name: "final_answer", input_schema: schema }],
    tool_choice: { type: "tool", name: "final_answer" },
  });
  expect(secondBody?.["messages"]).toMatchObject([
    { role: "user" },
    {
      role: "assistant",
      content: [{ type: "tool_use", id: "toolu_final_answer", input: { city: "Paris" } }],
    },
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "toolu_final_answer" },
        { type: "text", text: "And then?" },
      ],
    },
  ]);
});

test.each([
  ["claude-opus-4-6", true],
  ["claude-haiku-4-5-20251001", true],
  ["anthropic/claude-sonnet-5.5", true],
  ["claude-opus-4-1", false],
  ["claude-3-7-sonnet-20250219", false],
  ["kimi-k2", false],
])("%s supports an output schema: %s", (modelId, expected) => {
  const model = anthropic(modelId);
  expect(model.supportsOutput?.({ name: "final_answer", schema })).toBe(expected);
  const recursive = { type: "object", properties: { next: { $ref: "#" } }, additionalProperties: false };
  expect(model.supportsOutput?.({ name: "final_answer", schema: recursive })).toBe(false);
});

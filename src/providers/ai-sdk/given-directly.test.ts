/** What the AI SDK makes is passed on as it is by people who come from there: each error says what to write. */
import { openai } from "@ai-sdk/openai";
import { tool as aiSdkTool } from "@ai-sdk/provider-utils";
import { expect, test } from "vitest";
import { z } from "zod";
import { chat } from "../../cli/index.ts";
import { Agent, generate, generateStream, run, tool, toolset } from "../../index.ts";
import { ScriptedModel } from "../../testing/index.ts";
import { cached, fallback, retry, withSettings } from "../wrappers/index.ts";

const model: never = openai.responses("gpt-5.2") as never;
const agent = new Agent({ name: "A", model: new ScriptedModel([]) });

test.each<[place: string, use: () => unknown]>([
  ["new Agent", () => new Agent({ name: "A", model })],
  ["agent.with", () => agent.with({ model })],
  ["run", () => run(agent, "Hi", { model })],
  ["generate", () => generate(model, "Hi")],
  ["generateStream", () => generateStream(model, "Hi").next()],
  ["summaries", () => run(agent, "Hi", { compaction: { maxTokens: 10, summarize: model } })],
  ["retry", () => retry(model)],
  ["fallback", () => fallback(["offline", model])],
  ["cached", () => cached(model)],
  ["withSettings", () => withSettings(model, { temperature: 0 })],
  ["chat", () => chat(agent, { model })],
])("a model of the AI SDK in %s is refused with the way to pass it", async (_place, use) => {
  await expect((async () => use())()).rejects.toMatchObject({
    code: "invalid-option",
    message: expect.stringContaining("fromAiSdk(model) of skein/ai-sdk"),
  });
});

const weather = aiSdkTool({
  description: "Tells the weather",
  inputSchema: z.object({ city: z.string() }),
  execute: ({ city }) => `18 degrees in ${city}`,
});

test.each<[kind: string, tools: unknown]>([
  ["in a list", [weather]],
  ["in a record", { weather }],
  ["that the provider executes", { search: openai.tools.webSearch() }],
])("a tool of the AI SDK %s is refused with the way to write it", (_kind, tools) => {
  const refusal = expect.objectContaining({
    code: "invalid-tool",
    message: expect.stringMatching(
      /is a tool of the AI SDK: write tool\(\{.*fromAiSdk\(model, \{ providerTools \}\)/,
    ),
  });
  expect(() => new Agent({ name: "A", tools: tools as never })).toThrow(refusal);
  expect(() => toolset(tools as never)).toThrow(refusal);
});

test("a tool of the AI SDK is a tool once it has a name, as the error says", async () => {
  const { description, inputSchema, execute } = weather;
  const scripted = new ScriptedModel([
    { toolCalls: [{ toolName: "weather", arguments: { city: "Rome" } }] },
    "18.",
  ]);
  const named = tool({
    name: "weather",
    description: String(description),
    input: inputSchema as z.ZodType<{ city: string }>,
    execute: (input) => execute?.(input, { toolCallId: "", messages: [], context: {} }),
  });
  const { messages } = await run(new Agent({ name: "A", model: scripted, tools: [named] }), "Rome?");
  expect(messages[1]).toMatchObject({ result: { content: [{ text: "18 degrees in Rome" }] } });
  expect(() => tool({ name: "weather", ...weather } as never)).toThrow('Did you mean "input"?');
});

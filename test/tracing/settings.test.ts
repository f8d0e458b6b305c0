import { afterEach, expect, test, vi } from "vitest";
import { Agent, run } from "skein";
import { ScriptedModel } from "skein/testing";
import { traceAll, traced } from "skein/tracing";
import { useSdk } from "./current-sdk.ts";
import { agentOf, callOf, textTool } from "./scripted-runs.ts";

const recorder = useSdk();
const variable = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT";
afterEach(() => {
  traceAll()();
  vi.unstubAllEnvs();
});

const greeter = () => agentOf("A", ["Hello."]);

/** The attributes of all spans, under the names of the spans. */
function attributes(): Readonly<Record<string, object>> {
  return Object.fromEntries(recorder.ended.map(({ name, attributes: own }) => [name, own]));
}

test("nothing is traced until traceAll is called, nor once it has ended", async () => {
  await run(greeter(), "Hi");
  const tracing = traceAll();
  await run(greeter(), "Hi");
  tracing();
  expect(recorder.ended).toHaveLength(2);
  await run(greeter(), "Hi");
  expect(recorder.ended).toHaveLength(2);
});

test("a second traceAll takes the place of the first", async () => {
  const first = traceAll();
  traceAll({ attributes: { team: "second" } });
  first();
  await run(greeter(), "Hi");
  expect(recorder.ended).toHaveLength(2);
  expect(attributes()).toMatchObject({ "chat scripted": { team: "second" } });
});

test("a run leaves itself out, or has options of its own", async () => {
  traceAll({ attributes: { team: "a" } });
  await run(greeter(), "Hi", { tracing: false });
  expect(recorder.ended).toEqual([]);
  await run(greeter(), "Hi", { tracing: { content: true } });
  expect(attributes()).toMatchObject({
    "chat scripted": { team: "a", "gen_ai.input.messages": expect.stringContaining("Hi") },
  });
});

test("traced() is for one run, and makes no spans twice", async () => {
  await run(greeter(), "Hi", { middleware: [traced({ attributes: { only: "this" } })] });
  expect(attributes()).toMatchObject({ "chat scripted": { only: "this" } });
  traceAll();
  recorder.clear();
  await run(greeter(), "Hi", { middleware: [traced()] });
  expect(recorder.ended).toHaveLength(2);
});

test("attributes are those of the run, and what they throw is printed", async () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  traceAll({
    attributes: ({ context }) => ({
      "user.id": String(Reflect.get(Object(context), "user")),
      none: undefined,
    }),
  });
  await run(greeter(), "Hi", { context: { user: "ann" } });
  expect(recorder.ended.map((span) => span.attributes["user.id"])).toEqual(["ann", "ann"]);
  traceAll({
    attributes: () => {
      throw new Error("no user");
    },
  });
  expect((await run(greeter(), "Hi")).text).toBe("Hello.");
  expect(warn.mock.calls).toEqual([["skein: attributes of skein/tracing failed: no user"]]);
});

test.each([
  ["true", true],
  ["SPAN_ONLY", true],
  ["SPAN_AND_EVENT", true],
  ["EVENT_ONLY", false],
  ["NO_CONTENT", false],
  ["", false],
])("the variable of OpenTelemetry %j counts for content as %s", async (value, isOn) => {
  vi.stubEnv(variable, value);
  traceAll();
  await run(greeter(), "Hi");
  expect("gen_ai.input.messages" in (attributes()["chat scripted"] ?? {})).toBe(isOn);
});

test("an option counts more than the variable", async () => {
  vi.stubEnv(variable, "true");
  traceAll({ content: false });
  await run(greeter(), "Hi");
  expect(attributes()["chat scripted"]).not.toHaveProperty("gen_ai.input.messages");
});

test("content is that of tools alone, or all but that", async () => {
  const agent = () => agentOf("A", [{ toolCalls: [callOf("look", "near")] }, "Done."], [textTool("look")]);
  traceAll({ content: "tools" });
  await run(agent(), "Hi");
  expect(attributes()).toMatchObject({
    "execute_tool look": {
      "gen_ai.tool.call.arguments": '{"text":"near"}',
      "gen_ai.tool.call.result": '"near"',
    },
  });
  expect(attributes()["chat scripted"]).not.toHaveProperty("gen_ai.input.messages");
  traceAll({ content: "messages" });
  await run(agent(), "Hi");
  expect(attributes()["execute_tool look"]).not.toHaveProperty("gen_ai.tool.call.arguments");
  expect(attributes()["chat scripted"]).toHaveProperty("gen_ai.input.messages");
});

test("tokens stand on the spans of model calls, and also on those of agents where that is wanted", async () => {
  const usage = {
    inputTokens: 10,
    outputTokens: 5,
    cachedInputTokens: 4,
    cacheWriteTokens: 3,
    reasoningTokens: 2,
  };
  const turns = [{ text: "Hello.", usage }];
  const names = {
    "gen_ai.usage.input_tokens": 10,
    "gen_ai.usage.output_tokens": 5,
    "gen_ai.usage.cache_read.input_tokens": 4,
    "gen_ai.usage.cache_write.input_tokens": 3,
    "gen_ai.usage.cache_creation.input_tokens": 3,
    "gen_ai.usage.reasoning.output_tokens": 2,
  };
  traceAll();
  await run(agentOf("A", turns), "Hi");
  expect(attributes()["chat scripted"]).toMatchObject(names);
  expect(attributes()["invoke_agent A"]).not.toHaveProperty("gen_ai.usage.input_tokens");
  traceAll({ usage: "also-agents" });
  await run(agentOf("A", turns), "Hi");
  expect(attributes()["invoke_agent A"]).toMatchObject(names);
});

test("settings and the answer's facts are on the span of a model call", async () => {
  traceAll();
  const settings = { temperature: 0.5, maxOutputTokens: 100, stopSequences: ["x"], seed: 1, topP: 0.9 };
  const model = new ScriptedModel(["Hello."], { provider: "google.generative-ai", modelId: "gemini" });
  await run(new Agent({ name: "A", description: "Greets.", model, settings }), "Hi", { runId: "order-7" });
  expect(attributes()).toMatchObject({
    "invoke_agent A": {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": "A",
      "gen_ai.agent.description": "Greets.",
      "gen_ai.response.finish_reasons": ["stop"],
      "skein.run.id": "order-7",
      "skein.run.status": "completed",
      "skein.run.turns": 1,
    },
    "chat gemini": {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "gcp.gemini",
      "gen_ai.request.model": "gemini",
      "gen_ai.request.stream": true,
      "gen_ai.request.temperature": 0.5,
      "gen_ai.request.max_tokens": 100,
      "gen_ai.request.stop_sequences": ["x"],
      "gen_ai.request.seed": 1,
      "gen_ai.request.top_p": 0.9,
      "gen_ai.response.finish_reasons": ["stop"],
    },
  });
});

test.each([
  { content: "all" },
  { usage: "agents" },
  { attributes: "team" },
  { maxChars: 5 },
  { contents: true },
])("refuses %j", (options: object) => {
  expect(() => traceAll({ ...options })).toThrow(/traceAll\(\)|maxChars/);
  expect(() => traced({ ...options })).toThrow(/traced\(\)|maxChars/);
});

test("refuses a run's option that is neither false nor options", async () => {
  const tracing: object = [];
  const wrong: object = { tracing: true };
  await expect(run(greeter(), "Hi", wrong)).rejects.toThrow(
    'options.tracing must be false or options, such as { content: "tools" }, not true.',
  );
  traceAll();
  await expect(run(greeter(), "Hi", { tracing })).rejects.toThrow("options.tracing");
});

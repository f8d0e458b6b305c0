/** Content as events of the logs, received by OpenTelemetry's own SDK. */
import { logs } from "@opentelemetry/api";
import { InMemoryLogRecordExporter, LoggerProvider, SimpleLogRecordProcessor } from "@opentelemetry/sdk-logs";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Agent, compileSchema, generate, run } from "skein";
import { ScriptedModel } from "skein/testing";
import { traceAll } from "skein/tracing";
import { useSdk } from "./current-sdk.ts";
import inputMessages from "./fixtures/gen-ai-input-messages.json" with { type: "json" };
import outputMessages from "./fixtures/gen-ai-output-messages.json" with { type: "json" };
import systemInstructions from "./fixtures/gen-ai-system-instructions.json" with { type: "json" };
import toolDefinitions from "./fixtures/gen-ai-tool-definitions.json" with { type: "json" };
import { callOf, textTool } from "./scripted-runs.ts";

const recorder = useSdk();
const exporter = new InMemoryLogRecordExporter();
const variable = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT";
beforeEach(() => {
  logs.setGlobalLoggerProvider(
    new LoggerProvider({ processors: [new SimpleLogRecordProcessor({ exporter })] }),
  );
});
afterEach(() => {
  traceAll()();
  logs.disable();
  exporter.reset();
  vi.unstubAllEnvs();
});

/** An agent that looks something up. */
function looker(): Agent {
  const model = new ScriptedModel([{ toolCalls: [callOf("look", "planted-argument")] }, "planted-answer"]);
  return new Agent({ name: "A", instructions: "planted-instructions", model, tools: [textTool("look")] });
}

const records = () => exporter.getFinishedLogRecords();

test("each model call has an event with its content as values, in the context of its span", async () => {
  traceAll({ content: "events", attributes: { "user.id": "ada" } });
  await run(looker(), "planted-question");
  const chats = recorder.ended.filter(({ name }) => name === "chat scripted");
  expect(records().map(({ spanContext }) => spanContext?.spanId)).toEqual(
    chats.map((span) => span.spanContext().spanId),
  );
  const [first, second] = records();
  expect(first?.eventName).toBe("gen_ai.client.inference.operation.details");
  expect(first?.attributes).toMatchObject({
    "gen_ai.operation.name": "chat",
    "gen_ai.request.model": "scripted",
    "gen_ai.response.finish_reasons": ["tool_call"],
    "user.id": "ada",
    "gen_ai.input.messages": [{ role: "user", parts: [{ type: "text", content: "planted-question" }] }],
    "gen_ai.system_instructions": [{ type: "text", content: "planted-instructions" }],
  });
  expect(JSON.stringify(second?.attributes["gen_ai.output.messages"])).toContain("planted-answer");
  for (const { attributes } of records()) {
    expect(compileSchema(inputMessages).validate(attributes["gen_ai.input.messages"]).ok).toBe(true);
    expect(compileSchema(outputMessages).validate(attributes["gen_ai.output.messages"]).ok).toBe(true);
    expect(compileSchema(systemInstructions).validate(attributes["gen_ai.system_instructions"]).ok).toBe(
      true,
    );
    expect(compileSchema(toolDefinitions).validate(attributes["gen_ai.tool.definitions"]).ok).toBe(true);
  }
});

test("spans have no content then", async () => {
  traceAll({ content: "events" });
  await run(looker(), "planted-question");
  expect(recorder.ended).toHaveLength(4);
  const spans = recorder.ended.map(({ name, attributes, events, status }) => [
    name,
    attributes,
    events,
    status,
  ]);
  expect(JSON.stringify(spans)).not.toContain("planted");
});

test.each([
  ["EVENT_ONLY", false, 2],
  ["SPAN_AND_EVENT", true, 2],
  ["SPAN_ONLY", true, 0],
  ["NO_CONTENT", false, 0],
])("the variable %s of OpenTelemetry says where content goes", async (value, isOnSpans, count) => {
  vi.stubEnv(variable, value);
  traceAll();
  await run(looker(), "planted-question");
  expect(records()).toHaveLength(count);
  expect(JSON.stringify(recorder.ended.map(({ attributes }) => attributes)).includes("planted")).toBe(
    isOnSpans,
  );
});

test("a model call that fails has an event with what it was asked, and the class of the error", async () => {
  traceAll({ content: "events" });
  const model = new ScriptedModel([{ error: new Error("planted-error") }]);
  await expect(generate(model, "planted-question")).rejects.toThrow("planted-error");
  expect(records()).toMatchObject([
    { attributes: { "error.type": expect.any(String), "gen_ai.input.messages": [{ role: "user" }] } },
  ]);
  expect(JSON.stringify(records()[0]?.attributes)).not.toContain("planted-error");
});

test("logs that fail harm no run", async () => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  logs.disable();
  const failing = (): never => {
    throw new Error("no logs");
  };
  logs.setGlobalLoggerProvider({ getLogger: failing });
  traceAll({ content: "events" });
  expect((await run(looker(), "Hi")).text).toBe("planted-answer");
  vi.restoreAllMocks();
});

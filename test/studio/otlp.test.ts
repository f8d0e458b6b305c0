/** Traces that programs send to the studio by OTLP over HTTP, sent by the official exporters. */
import { OTLPTraceExporter as JsonExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { OTLPTraceExporter as ProtobufExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { logs } from "@opentelemetry/api";
import { InMemoryLogRecordExporter, LoggerProvider, SimpleLogRecordProcessor } from "@opentelemetry/sdk-logs";
import { Agent, run, tool } from "skein";
import { ScriptedModel } from "skein/testing";
import { expect, onTestFinished, test, vi } from "vitest";
import type { RequestDetail, RunDetail } from "../../src/studio/records.ts";
import type { StudioData } from "./data.ts";
import { openReceiver, team, traceInto } from "./traces.ts";

const object = { type: "object" } as const;

const sum = (figures: readonly (number | undefined)[]): number =>
  figures.reduce<number>((total, figure = 0) => total + figure, 0);

/** The only trace that the studio has. */
async function onlyTrace(data: StudioData): Promise<RunDetail> {
  const ids = await data.runIds();
  const traces = ids.filter((id) => id.startsWith("trace-"));
  // oxlint-disable-next-line vitest/no-standalone-expect -- called by tests
  expect(traces).toHaveLength(1);
  return data.run(traces[0] ?? "");
}

test.each([
  ["JSON", JsonExporter, "none"],
  ["protobuf", ProtobufExporter, "none"],
  ["JSON by gzip", JsonExporter, "gzip"],
  ["protobuf by gzip", ProtobufExporter, "gzip"],
])(
  "a trace sent as %s is a run with its agents, calls, tokens and content",
  async (_name, Exporter, compression) => {
    vi.stubEnv("OTEL_EXPORTER_OTLP_COMPRESSION", compression);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { data, url } = await openReceiver();
    const end = traceInto(new Exporter({ url: `${url}/v1/traces` }), { content: true });
    const result = await run(team(), "Order 7 is broken.");
    await end();
    const trace = await onlyTrace(data);
    expect(trace).toMatchObject({
      source: "trace",
      status: "completed",
      agent: "Triage",
      lastAgent: "Refunds",
      question: "Order 7 is broken.",
      turns: 4,
      tools: ["ask", "transfer_to_refunds", "pay"],
      inputTokens: sum(result.modelCalls.map(({ usage }) => usage.inputTokens)),
      outputTokens: sum(result.modelCalls.map(({ usage }) => usage.outputTokens)),
    });
    const steps = trace.steps.map((step) => [step.kind, step.agent, step.turn, step.parent]);
    expect(steps).toEqual([
      ["model", "Triage", 1, undefined],
      ["tool", "Triage", 1, undefined],
      ["agent", "Clerk", 0, 2],
      ["model", "Clerk", 1, 3],
      ["model", "Triage", 2, undefined],
      ["tool", "Triage", 2, undefined],
      ["model", "Refunds", 3, undefined],
      ["tool", "Refunds", 3, undefined],
      ["model", "Refunds", 4, undefined],
    ]);
    expect(trace.steps[6]).toMatchObject({
      text: "I pay.",
      provider: "scripted",
      finishReason: "tool-calls",
      calls: [{ toolName: "pay", arguments: '{"amount":120}' }],
      usage: { inputTokens: 200, outputTokens: 3, cachedInputTokens: 40 },
    });
    expect(trace.steps[7]).toMatchObject({ toolName: "pay", arguments: '{"amount":120}', outcome: "error" });
    expect(trace.steps[3]).toMatchObject({ text: "Order 7 is broken." });
    for (const { start, end: ended = 0 } of trace.steps) expect(ended).toBeGreaterThanOrEqual(start);
    const request = await data.read<RequestDetail>(`/studio/runs/${trace.id}/requests/4`);
    expect(JSON.parse(request.body ?? "")).toMatchObject({
      model: expect.stringMatching(/^scripted:/),
      instructions: "Pay.",
      messages: expect.arrayContaining([{ role: "user", content: "Order 7 is broken." }]),
      tools: [{ name: "pay" }],
    });
  },
);

test("without content a trace has figures and names, and no text", async () => {
  const { data, url } = await openReceiver();
  const end = traceInto(new ProtobufExporter({ url: `${url}/v1/traces` }));
  await run(team(), "Order 7 is broken.");
  await end();
  const trace = await onlyTrace(data);
  expect(trace).toMatchObject({ question: "", turns: 4, toolCalls: 3 });
  expect(JSON.stringify(trace)).not.toContain("broken");
  expect(await data.read(`/studio/runs/${trace.id}/requests`)).toEqual({ requests: [] });
  const replay = await data.ask(`/studio/runs/${trace.id}/replay/1`);
  expect(replay.status).toBe(404);
});

test("a date in the instructions is where the prefix of a trace breaks", async () => {
  const { data, url } = await openReceiver();
  const end = traceInto(new JsonExporter({ url: `${url}/v1/traces` }), { content: true });
  let minute = 0;
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "look" }] }, "Done."]);
  const look = tool({ name: "look", input: object, execute: () => "Seen." });
  const instructions = (): string => `It is 12:0${minute++}.`;
  await run(new Agent({ name: "Clock", model, instructions, tools: [look] }), "Hi");
  await end();
  expect((await onlyTrace(data)).steps[2]).toMatchObject({ break: { path: "instructions", character: 10 } });
});

/** A request by hand, as SDKs of other languages send it. */
function send(url: string, spans: readonly object[]): Promise<Response> {
  return fetch(`${url}/v1/traces`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }),
  });
}

const traceId = "0af7651916cd43dd8448eb211c80319c";
/** A span of an operation, in milliseconds since `2026-01-01`. */
function spanOf(
  id: number,
  parent: number | undefined,
  operation: string,
  times: readonly [number, number],
  more: Record<string, unknown> = {},
): object {
  const nanoseconds = (at: number): string => `${Date.UTC(2026, 0, 1) + at}000000`;
  const spanId = String(id).padStart(16, "0");
  const attributes = { "gen_ai.operation.name": operation, ...more };
  return {
    traceId,
    spanId,
    ...(parent !== undefined && { parentSpanId: String(parent).padStart(16, "0") }),
    name: operation,
    startTimeUnixNano: nanoseconds(times[0]),
    endTimeUnixNano: nanoseconds(times[1]),
    attributes: Object.entries(attributes).map(([key, value]) => ({
      key,
      value: typeof value === "number" ? { intValue: String(value) } : { stringValue: value },
    })),
  };
}

test("a trace works until the agent's own span comes, and other spans between are passed over", async () => {
  const { data, url } = await openReceiver();
  await send(url, [
    spanOf(4, 3, "chat", [20, 50], { "gen_ai.usage.input_tokens": 7, "gen_ai.request.model": "m" }),
  ]);
  expect(await onlyTrace(data)).toMatchObject({ status: "running", inputTokens: 7 });
  await send(url, [spanOf(5, 4, "chat", [25, 45], { "gen_ai.usage.input_tokens": 7 })]);
  await send(url, [
    spanOf(3, 2, "graph node", [10, 60]),
    spanOf(2, 1, "invoke_agent", [5, 80], { "gen_ai.agent.name": "Weather" }),
  ]);
  const trace = await onlyTrace(data);
  expect(trace).toMatchObject({
    status: "completed",
    agent: "Weather",
    inputTokens: 7,
    worked: expect.closeTo(75),
  });
  expect(trace.steps).toMatchObject([{ kind: "model", agent: "Weather", modelId: "m" }]);
});

test("a trace whose outer spans do not come is taken as ended after a while", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { data, url } = await openReceiver();
  await send(url, [spanOf(2, 1, "chat", [0, 50])]);
  expect((await onlyTrace(data)).status).toBe("running");
  vi.advanceTimersByTime(30_000);
  vi.useRealTimers();
  expect(await onlyTrace(data)).toMatchObject({ status: "completed", worked: expect.closeTo(50) });
});

/** A value as OTLP's JSON has it. */
function anyValue(value: unknown): object {
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValue) } };
  if (typeof value === "object" && value !== null)
    return {
      kvlistValue: {
        values: Object.entries(value).map(([key, member]) => ({ key, value: anyValue(member) })),
      },
    };
  return typeof value === "boolean" ? { boolValue: value } : { stringValue: String(value) };
}

test.each(["before", "after"])(
  "what the logs have of a model call is in its trace, sent %s the spans",
  async (when) => {
    const { data, url } = await openReceiver();
    const exporter = new InMemoryLogRecordExporter();
    const processors = [new SimpleLogRecordProcessor({ exporter })];
    logs.setGlobalLoggerProvider(new LoggerProvider({ processors }));
    onTestFinished(() => logs.disable());
    const end = traceInto(new ProtobufExporter({ url: `${url}/v1/traces` }), { content: "events" });
    await run(team(), "Order 7 is broken.");
    if (when === "after") await end();
    const logRecords = exporter.getFinishedLogRecords().map(({ eventName, spanContext, attributes }) => ({
      ...spanContext,
      eventName,
      attributes: Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) })),
    }));
    await fetch(`${url}/v1/logs`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] }),
    });
    await end();
    const trace = await onlyTrace(data);
    expect(trace).toMatchObject({ status: "completed", question: "Order 7 is broken.", turns: 4 });
    expect(trace.steps[6]).toMatchObject({ kind: "model", text: "I pay.", calls: [{ toolName: "pay" }] });
  },
);

test("events of logs in protobuf are read, too", async () => {
  const { data, url } = await openReceiver();
  await send(url, [spanOf(1, undefined, "chat", [0, 50])]);
  const text = (value: string): number[] => [...new TextEncoder().encode(value)];
  const field = (number: number, bytes: readonly number[]): number[] => [
    number * 8 + 2,
    (bytes.length % 128) | 128,
    bytes.length >> 7,
    ...bytes,
  ];
  const messages = JSON.stringify([{ role: "user", parts: [{ type: "text", content: "Hi" }] }]);
  const attribute = [...field(1, text("gen_ai.input.messages")), ...field(2, field(1, text(messages)))];
  const record = [
    ...field(6, attribute),
    ...field(9, [...Buffer.from(traceId, "hex")]),
    ...field(10, [...Buffer.from("1".padStart(16, "0"), "hex")]),
    ...field(12, text("gen_ai.client.inference.operation.details")),
  ];
  const response = await fetch(`${url}/v1/logs`, {
    method: "POST",
    headers: { "content-type": "application/x-protobuf" },
    body: new Uint8Array(field(1, field(2, field(2, record)))),
  });
  expect(response.status).toBe(200);
  expect((await onlyTrace(data)).question).toBe("Hi");
});

test("content on an event of the span, and names of former conventions, are read", async () => {
  const { data, url } = await openReceiver();
  const messages = JSON.stringify([{ role: "user", parts: [{ type: "text", content: "Hi" }] }]);
  const span = spanOf(1, undefined, "chat", [0, 50], {
    "gen_ai.system": "gcp.gemini",
    "gen_ai.usage.prompt_tokens": 5,
    "gen_ai.usage.completion_tokens": 6,
  });
  const event = {
    name: "gen_ai.client.inference.operation.details",
    attributes: [{ key: "gen_ai.input.messages", value: { stringValue: messages } }],
  };
  await send(url, [{ ...span, events: [event] }]);
  const trace = await onlyTrace(data);
  expect(trace).toMatchObject({ question: "Hi", inputTokens: 5, outputTokens: 6 });
  expect(trace.steps).toMatchObject([{ provider: "google" }]);
});

test("spans that are not of agents do not become a run", async () => {
  const { data, url } = await openReceiver();
  const response = await send(url, [spanOf(1, undefined, "GET /", [0, 50])]);
  expect([response.status, await response.json()]).toEqual([200, {}]);
  expect(await data.runIds()).toEqual([]);
});

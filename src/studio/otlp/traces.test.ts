import { expect, test } from "vitest";
import { RunRing } from "../ring.ts";
import type { Span } from "./spans.ts";
import { Traces } from "./traces.ts";

const ring = new RunRing({ runs: 500, bytes: 1_000_000 }, () => {});

function chat(traceId: string, spanId: string, text = ""): Span {
  const attributes = new Map<string, unknown>([
    ["gen_ai.operation.name", "chat"],
    ["gen_ai.usage.input_tokens", 7],
    [
      "gen_ai.output.messages",
      JSON.stringify([{ role: "assistant", parts: [{ type: "text", content: text }] }]),
    ],
  ]);
  const base = { name: "chat", start: 1, end: 2, events: [], hasFailed: false, problem: "", service: "app" };
  return { traceId, spanId, parentSpanId: undefined, attributes, ...base };
}

test("a trace that takes a quarter of the room has figures of what comes then, but no content", () => {
  const traces = new Traces(ring, { traces: 10, spans: 100, bytes: 40_000 });
  const spans = Array.from({ length: 4 }, (_, index) => chat("a", String(index), "x".repeat(4_000)));
  expect(traces.add(spans)).toBe(0);
  const record = ring.get("trace-a");
  const lengths = record?.steps.map(
    (step) => step.kind === "model" && [step.text.length, step.usage?.inputTokens],
  );
  expect(lengths).toEqual([
    [4_000, 7],
    [4_000, 7],
    [0, 7],
    [0, 7],
  ]);
});

test("a trace without any room left refuses spans, others do not", () => {
  const traces = new Traces(ring, { traces: 10, spans: 100, bytes: 6_000 });
  const spans = Array.from({ length: 8 }, (_, index) => chat("b", String(index)));
  expect(traces.add(spans)).toBeGreaterThan(3);
  expect(traces.add([chat("c", "1")])).toBe(0);
});

test("the oldest traces are forgotten for newer ones: what comes of them begins a trace again", () => {
  const traces = new Traces(ring, { traces: 2, spans: 100, bytes: 1_000_000 });
  traces.add([chat("d", "1"), chat("e", "1"), chat("f", "1")]);
  traces.add([chat("d", "2")]);
  expect(ring.get("trace-d")?.steps).toHaveLength(1);
});

test("a span that is sent again takes the place of the first", () => {
  const traces = new Traces(ring);
  traces.add([chat("g", "1", "One.")]);
  traces.add([chat("g", "1", "Two.")]);
  expect(ring.get("trace-g")?.steps).toMatchObject([{ text: "Two." }]);
});

test("a trace that is longer than its limit is over once the span of its agent has come, which is the last", () => {
  const traces = new Traces(ring, { traces: 10, spans: 50, bytes: 1_000_000 });
  const spans = Array.from({ length: 60 }, (_, index) => ({
    ...chat("h", String(index)),
    parentSpanId: "root",
  }));
  expect(traces.add(spans)).toBe(10);
  expect(ring.get("trace-h")?.status).toBe("running");
  const attributes = new Map<string, unknown>([
    ["gen_ai.operation.name", "invoke_agent"],
    ["gen_ai.agent.name", "Desk"],
  ]);
  expect(traces.add([{ ...chat("h", "root"), attributes }])).toBe(0);
  expect(ring.get("trace-h")).toMatchObject({ status: "completed", agent: "Desk" });
  traces.close();
});

test("spans in a circle are shown: one of them stands around the others", () => {
  const traces = new Traces(ring);
  const [a, b, c] = ["a", "b", "c"].map((id) => chat("i", id));
  if (!a || !b || !c) throw new TypeError("a span is missing");
  const tool = new Map<string, unknown>([
    ["gen_ai.operation.name", "execute_tool"],
    ["gen_ai.tool.name", "look"],
  ]);
  traces.add([
    { ...a, parentSpanId: "c", attributes: tool },
    { ...b, parentSpanId: "a", attributes: tool },
    { ...c, parentSpanId: "b", attributes: tool },
  ]);
  expect(ring.get("trace-i")?.steps).toHaveLength(3);
});

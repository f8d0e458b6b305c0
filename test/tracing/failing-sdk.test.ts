/** A processor, a sampler or a meter of the program that throws: its runs do not notice. */
import { metrics, type MeterProvider, trace } from "@opentelemetry/api";
import { type Sampler, type SpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { Agent, run, tool } from "skein";
import { ScriptedModel } from "skein/testing";
import { traceAll } from "skein/tracing";
import { afterEach, expect, test, vi } from "vitest";

const broken = (): never => {
  throw new Error("the exporter is broken");
};

const quiet: SpanProcessor = {
  onStart: () => {},
  onEnd: () => {},
  forceFlush: () => Promise.resolve(),
  shutdown: () => Promise.resolve(),
};

const sampler: Sampler = { shouldSample: broken, toString: () => "broken" };

afterEach(() => {
  traceAll()();
  trace.disable();
  metrics.disable();
});

function agent(): Agent {
  const greet = tool({ name: "greet", input: { type: "object" }, execute: () => "Hello." });
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "greet" }] }, "Done."]);
  return new Agent({ name: "A", model, tools: [greet] });
}

test.each([
  ["a processor that throws as a span begins", { spanProcessors: [{ ...quiet, onStart: broken }] }],
  ["a processor that throws as a span ends", { spanProcessors: [{ ...quiet, onEnd: broken }] }],
  ["a sampler that throws", { sampler, spanProcessors: [quiet] }],
])("%s harms no run, and is reported", async (_, config) => {
  const warn = vi.spyOn(console, "warn").mockReturnValue();
  trace.setGlobalTracerProvider(new TracerProvider(config));
  traceAll({ content: true });
  const { status, text } = await run(agent(), "Hi");
  expect([status, text]).toEqual(["completed", "Done."]);
  expect(warn.mock.calls.join()).toContain("the exporter is broken");
});

test("a meter that throws harms no run, and is reported", async () => {
  const warn = vi.spyOn(console, "warn").mockReturnValue();
  const instrument = { record: broken, add: broken };
  const meter = { createHistogram: () => instrument, createCounter: () => instrument };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what this test needs of one
  metrics.setGlobalMeterProvider({ getMeter: () => meter } as unknown as MeterProvider);
  traceAll();
  const { status } = await run(agent(), "Hi");
  expect(status).toBe("completed");
  expect(warn.mock.calls.join()).toContain("the exporter is broken");
});

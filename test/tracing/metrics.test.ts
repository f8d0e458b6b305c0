import { metrics } from "@opentelemetry/api";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { run } from "skein";
import { traceAll } from "skein/tracing";
import { useSdk } from "./current-sdk.ts";
import { agentOf, callOf, textTool } from "./scripted-runs.ts";

useSdk();
let exporter: InMemoryMetricExporter;
let meters: MeterProvider;
beforeEach(() => {
  exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  meters = new MeterProvider({
    readers: [new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 1_000_000 })],
  });
  metrics.disable();
  metrics.setGlobalMeterProvider(meters);
});
afterEach(async () => {
  traceAll()();
  metrics.disable();
  vi.unstubAllEnvs();
  await meters.shutdown();
});

/** How often each metric was recorded, or its sum for counters, with the attributes that tell its points apart. */
async function measured(): Promise<Readonly<Record<string, readonly unknown[]>>> {
  await meters.forceFlush();
  const all = exporter
    .getMetrics()
    .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((each) => each.metrics));
  return Object.fromEntries(
    all.map(({ descriptor, dataPoints }) => [
      descriptor.name,
      dataPoints.map(({ attributes, value }) => {
        const kind =
          attributes["gen_ai.token.type"] ?? attributes["error.type"] ?? attributes["gen_ai.tool.name"];
        const figure = typeof value === "number" ? value : value.count;
        return [kind ?? attributes["gen_ai.agent.name"] ?? attributes["gen_ai.operation.name"], figure];
      }),
    ]),
  );
}

const usage = { inputTokens: 10, outputTokens: 5, cachedInputTokens: 4 };

async function runOnce(): Promise<void> {
  const broken = textTool("broken", () => {
    throw new Error("no");
  });
  const turns = [
    { toolCalls: [callOf("look"), callOf("broken"), callOf("made up")], usage },
    { text: "Done.", usage },
  ];
  await run(agentOf("A", turns, [textTool("look"), broken]), "Hi");
}

test("durations and tokens have the names that backends read", async () => {
  traceAll();
  await runOnce();
  expect(await measured()).toEqual({
    "gen_ai.invoke_agent.duration": [["A", 1]],
    "gen_ai.execute_tool.duration": [
      ["unknown-tool", 1],
      ["look", 1],
      ["error", 1],
    ],
    "gen_ai.client.operation.duration": [["chat", 2]],
    "gen_ai.client.operation.time_to_first_chunk": [["chat", 2]],
    "gen_ai.client.token.usage": [
      ["input", 2],
      ["output", 2],
    ],
  });
});

test("with the opt-in of OpenTelemetry they have the names of the newest conventions instead", async () => {
  vi.stubEnv("OTEL_SEMCONV_STABILITY_OPT_IN", "http, gen_ai_latest_experimental");
  traceAll();
  await runOnce();
  const figures = await measured();
  expect(figures).toMatchObject({
    "gen_ai.client.inference.duration": [["chat", 2]],
    "gen_ai.client.inference.time_to_first_chunk": [["chat", 2]],
    "gen_ai.client.inference.usage.input_tokens": [["chat", 20]],
    "gen_ai.client.inference.usage.output_tokens": [["chat", 10]],
    "gen_ai.client.inference.usage.cache_read.input_tokens": [["chat", 8]],
    "gen_ai.client.inference.operation.input_tokens": [["chat", 2]],
    "gen_ai.client.inference.operation.output_tokens": [["chat", 2]],
  });
  expect(Object.keys(figures).filter((name) => name.includes("operation.duration"))).toEqual([]);
});

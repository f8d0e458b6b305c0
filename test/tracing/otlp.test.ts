import { context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { OTLPTraceExporter as JsonExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { OTLPTraceExporter as ProtobufExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { afterEach, expect, test } from "vitest";
import { run, type Usage } from "skein";
import { traceAll } from "skein/tracing";
import { receiveOtlp } from "./otlp-receiver.ts";
import { agentOf, callOf, textTool } from "./scripted-runs.ts";

afterEach(() => {
  traceAll()();
  trace.disable();
  context.disable();
});

const usage = (inputTokens: number): Partial<Usage> => ({ inputTokens, outputTokens: 3, reasoningTokens: 1 });

/** A run with an agent within it, both of which use tokens. */
async function runTeam() {
  const helper = agentOf(
    "Helper",
    [
      { toolCalls: [callOf("look")], usage: usage(100) },
      { text: "Found.", usage: usage(200) },
    ],
    [textTool("look")],
  );
  const toolCalls = [{ toolName: "helper", arguments: { input: "?" } }];
  const turns = [
    { toolCalls, usage: usage(1) },
    { text: "Done.", usage: usage(20) },
  ];
  return run(agentOf("Top", turns).with({ tools: [helper.asTool()] }), "Hi");
}

const sum = (figures: readonly unknown[]): number =>
  figures.reduce<number>((total, figure) => total + (typeof figure === "number" ? figure : 0), 0);

test.each([
  ["JSON", JsonExporter],
  ["protobuf", ProtobufExporter],
] as const)(
  "OTLP over HTTP as %s arrives whole, and its tokens add up to those of the run",
  async (_name, Exporter) => {
    const receiver = await receiveOtlp();
    const exporter = new Exporter({ url: `${receiver.url}/v1/traces` });
    const provider = new TracerProvider({ spanProcessors: [new BatchSpanProcessor({ exporter })] });
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    trace.setGlobalTracerProvider(provider);
    traceAll();
    const { modelCalls, usage: own } = await runTeam();
    await provider.shutdown();
    receiver.close();
    const { spans } = receiver;
    expect(spans.map(({ name }) => name).toSorted()).toEqual([
      "chat scripted",
      "chat scripted",
      "chat scripted",
      "chat scripted",
      "execute_tool helper",
      "execute_tool look",
      "invoke_agent Helper",
      "invoke_agent Top",
    ]);
    const top = spans.find(({ parentSpanId }) => parentSpanId === "");
    expect(top?.name).toBe("invoke_agent Top");
    const tokens = (name: string): number => sum(spans.map(({ attributes }) => attributes[name]));
    expect(tokens("gen_ai.usage.input_tokens")).toBe(sum(modelCalls.map((each) => each.usage.inputTokens)));
    expect(tokens("gen_ai.usage.input_tokens")).toBe(321);
    expect(tokens("gen_ai.usage.output_tokens")).toBe(12);
    expect(tokens("gen_ai.usage.reasoning.output_tokens")).toBe(4);
    const ofTop = spans.filter(({ parentSpanId }) => parentSpanId === top?.spanId);
    expect(sum(ofTop.map(({ attributes }) => attributes["gen_ai.usage.input_tokens"]))).toBe(own.inputTokens);
    const chat = spans.find(({ name }) => name === "chat scripted");
    expect(chat?.attributes).toMatchObject({
      "gen_ai.request.stream": true,
      "gen_ai.response.finish_reasons": [expect.any(String)],
    });
  },
);

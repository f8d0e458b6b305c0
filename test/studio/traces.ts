/** A studio that receives spans, and what sends them to it. */
import { context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { BatchSpanProcessor, type SpanExporter, TracerProvider } from "@opentelemetry/sdk-trace";
import { Agent, tool, type Usage } from "skein";
import { ScriptedModel } from "skein/testing";
import { traceAll } from "skein/tracing";
import { onTestFinished } from "vitest";
import { openStudio } from "../../src/studio/studio.ts";
import { StudioData } from "./data.ts";

/** A studio without agents that receives spans on a free port; it closes with the test. */
export async function openReceiver(): Promise<{ data: StudioData; url: string; page: string }> {
  const studio = await openStudio({ agents: [], port: 0 }, {}, { otlp: 0 });
  onTestFinished(() => studio.close());
  return { data: new StudioData(studio), url: studio.otlp ?? "", page: studio.url };
}

/** Has all runs traced until the test is over. What it returns sends the spans, and ends it. */
export function traceInto(
  exporter: SpanExporter,
  options: Parameters<typeof traceAll>[0] = {},
): () => Promise<void> {
  const provider = new TracerProvider({ spanProcessors: [new BatchSpanProcessor({ exporter })] });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(provider);
  const stop = traceAll(options);
  const end = async (): Promise<void> => {
    stop();
    trace.disable();
    context.disable();
    await provider.shutdown();
  };
  onTestFinished(end);
  return end;
}

const object = { type: "object" } as const;
const tokens = (inputTokens: number): Partial<Usage> => ({
  inputTokens,
  outputTokens: 3,
  cachedInputTokens: 40,
});

/** Triage looks something up by another agent, and hands over to Refunds, whose tool fails. */
export function team(): Agent {
  const clerk = new Agent({
    name: "Clerk",
    model: new ScriptedModel([{ text: "Order 7 is broken.", usage: tokens(50) }]),
  });
  const refunds = new Agent({
    name: "Refunds",
    instructions: "Pay.",
    model: new ScriptedModel([
      { text: "I pay.", toolCalls: [{ toolName: "pay", arguments: { amount: 120 } }], usage: tokens(200) },
      { text: "It failed.", usage: tokens(300) },
    ]),
    tools: [
      tool({
        name: "pay",
        input: object,
        execute: () => {
          throw new Error("no money");
        },
      }),
    ],
  });
  return new Agent({
    name: "Triage",
    model: new ScriptedModel([
      { toolCalls: [{ toolName: "ask", arguments: { input: "Order 7?" } }], usage: tokens(100) },
      { toolCalls: [{ toolName: "transfer_to_refunds" }], usage: tokens(110) },
    ]),
    tools: [clerk.asTool({ name: "ask" })],
    handoffs: [refunds],
  });
}

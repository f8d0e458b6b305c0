/** A studio that receives spans, and what sends them to it. */
import { context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { BatchSpanProcessor, type SpanExporter, TracerProvider } from "@opentelemetry/sdk-trace";
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

import type { Counter, Histogram, Meter, MeterProvider } from "@opentelemetry/api";
import type { Usage } from "../message/messages.ts";
import { noUsage } from "../message/usage.ts";
import type { OpenTelemetry } from "./api.ts";
import { harmless } from "./harmless.ts";
import { attribute, operations } from "./names.ts";

/** Seconds, as the conventions recommend for calls of models. */
const durations = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
/** Seconds, for runs and tools, which may take minutes. */
const longDurations = [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 51.2, 102.4, 204.8, 409.6];
const tokens = [
  1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864,
];

/** What is known of a call of a model once it is over. */
export interface MeasuredChat {
  readonly provider: string;
  readonly requestModel: string;
  readonly responseModel: string | undefined;
  readonly errorType: string | undefined;
  readonly seconds: number;
  /** Milliseconds to the first piece of the answer. */
  readonly firstChunkMs: number | undefined;
  readonly usage: Usage | undefined;
}

/** What is measured of an agent or a tool. */
export interface MeasuredSpan {
  readonly name: string;
  readonly seconds: number;
  readonly errorType: string | undefined;
}

/** The metrics of runs. */
export interface Metrics {
  chat(measured: MeasuredChat): void;
  agent(measured: MeasuredSpan): void;
  tool(measured: MeasuredSpan): void;
}

const byVersion = new Map<
  boolean,
  { readonly provider: MeterProvider; readonly metrics: Metrics | undefined }
>();

/**
 * The metrics of the meter provider that is registered now; `undefined` where none is.
 * @param isLatest - Whether they have the names that the conventions have since 2026.
 */
export function metricsOf(api: OpenTelemetry, isLatest: boolean): Metrics | undefined {
  const provider = api.metrics.getMeterProvider();
  const cached = byVersion.get(isLatest);
  if (cached?.provider === provider) return cached.metrics;
  const metrics = harmless(() => {
    const meter = provider.getMeter("skein");
    return meter === api.createNoopMeter() ? undefined : createMetrics(meter, isLatest);
  });
  byVersion.set(isLatest, { provider, metrics });
  return metrics;
}

function createMetrics(meter: Meter, isLatest: boolean): Metrics {
  const agentDuration = histogram(meter, "gen_ai.invoke_agent.duration", "s", longDurations);
  const toolDuration = histogram(meter, "gen_ai.execute_tool.duration", "s", longDurations);
  const recordChat = isLatest ? latestChatMetrics(meter) : chatMetrics(meter);
  const record = (duration: Histogram, seconds: number, attributes: Record<string, string>): void => {
    harmless(() => duration.record(seconds, attributes));
  };
  return {
    chat: (measured) => {
      harmless(() => recordChat(measured));
    },
    agent: ({ name, seconds, errorType }) =>
      record(agentDuration, seconds, { [attribute.agentName]: name, ...errorField(errorType) }),
    tool: ({ name, seconds, errorType }) =>
      record(toolDuration, seconds, { [attribute.toolName]: name, ...errorField(errorType) }),
  };
}

/** The names that backends read today. */
function chatMetrics(meter: Meter): Metrics["chat"] {
  const duration = histogram(meter, "gen_ai.client.operation.duration", "s", durations);
  const usage = histogram(meter, "gen_ai.client.token.usage", "{token}", tokens);
  const firstChunk = histogram(meter, "gen_ai.client.operation.time_to_first_chunk", "s", durations);
  return (measured) => {
    const common = commonAttributes(measured);
    const { inputTokens, outputTokens } = measured.usage ?? {};
    duration.record(measured.seconds, { ...common, ...errorField(measured.errorType) });
    if (measured.firstChunkMs !== undefined) firstChunk.record(measured.firstChunkMs / 1000, common);
    if (inputTokens !== undefined) usage.record(inputTokens, { ...common, [attribute.tokenType]: "input" });
    if (outputTokens !== undefined)
      usage.record(outputTokens, { ...common, [attribute.tokenType]: "output" });
  };
}

function latestChatMetrics(meter: Meter): Metrics["chat"] {
  const duration = histogram(meter, "gen_ai.client.inference.duration", "s", durations);
  const firstChunk = histogram(meter, "gen_ai.client.inference.time_to_first_chunk", "s", durations);
  const counters = {
    inputTokens: counter(meter, "input_tokens"),
    outputTokens: counter(meter, "output_tokens"),
    cachedInputTokens: counter(meter, "cache_read.input_tokens"),
    cacheWriteTokens: counter(meter, "cache_write.input_tokens"),
    reasoningTokens: counter(meter, "reasoning.output_tokens"),
  } as const;
  const distribution = {
    inputTokens: histogram(meter, "gen_ai.client.inference.operation.input_tokens", "{token}", tokens),
    outputTokens: histogram(meter, "gen_ai.client.inference.operation.output_tokens", "{token}", tokens),
  } as const;
  return (measured) => {
    const common = commonAttributes(measured);
    const { usage = noUsage } = measured;
    duration.record(measured.seconds, { ...common, ...errorField(measured.errorType) });
    if (measured.firstChunkMs !== undefined) firstChunk.record(measured.firstChunkMs / 1000, common);
    const modality = { ...common, [attribute.tokenModality]: "unknown" };
    for (const name of counterNames) {
      const count = usage[name] ?? (name in distribution ? 0 : undefined);
      if (count !== undefined) counters[name].add(count, modality);
    }
    for (const name of ["inputTokens", "outputTokens"] as const)
      if (usage[name] !== undefined) distribution[name].record(usage[name], common);
  };
}

const counterNames = [
  "inputTokens",
  "outputTokens",
  "cachedInputTokens",
  "cacheWriteTokens",
  "reasoningTokens",
] as const;

function commonAttributes({ provider, requestModel, responseModel }: MeasuredChat): Record<string, string> {
  return {
    [attribute.operation]: operations.chat,
    [attribute.provider]: provider,
    [attribute.requestModel]: requestModel,
    ...(responseModel !== undefined && { [attribute.responseModel]: responseModel }),
  };
}

function errorField(errorType: string | undefined): Record<string, string> {
  return errorType === undefined ? {} : { [attribute.errorType]: errorType };
}

function histogram(meter: Meter, name: string, unit: string, explicitBucketBoundaries: number[]): Histogram {
  return meter.createHistogram(name, { unit, advice: { explicitBucketBoundaries } });
}

function counter(meter: Meter, name: string): Counter {
  return meter.createCounter(`gen_ai.client.inference.usage.${name}`, { unit: "{token}" });
}

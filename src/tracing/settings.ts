import { assertAtLeast } from "../base/options/at-least.ts";
import { describeValue, invalidOption, readOptions } from "../base/options/known-options.ts";
import { isObject } from "../base/util/json.ts";
import type { TracingOptions } from "../run/tracing-options.ts";

/** What is traced, with all defaults. */
export interface Settings {
  /** What people and models say, and the messages of errors. */
  readonly hasMessages: boolean;
  /** What tools get and return. */
  readonly hasTools: boolean;
  /** Whether what people and models say is in events of the logs. */
  readonly hasEvents: boolean;
  readonly attributes: NonNullable<TracingOptions["attributes"]>;
  readonly isUsageOfAgents: boolean;
  readonly maxChars: number;
  /** Whether metrics have the names that the conventions have now, which few backends read yet. */
  readonly hasLatestMetrics: boolean;
}

const optionNames = {
  content: true,
  attributes: true,
  usage: true,
  maxChars: true,
} satisfies Record<keyof TracingOptions, true>;

const contents: ReadonlySet<unknown> = new Set([true, false, "messages", "tools", "events"]);

/**
 * Checks options.
 * @param place - What has them, such as `traceAll()`.
 * @throws ConfigurationError (`invalid-option`)
 */
export function readTracingOptions(options: TracingOptions, place: string): TracingOptions {
  const read = readOptions(options, optionNames, place);
  const { content, attributes, usage, maxChars } = read;
  if (content !== undefined && !contents.has(content))
    throw invalid("content", place, 'true, false, "messages", "tools" or "events"', content);
  if (usage !== undefined && usage !== "chat" && usage !== "also-agents")
    throw invalid("usage", place, '"chat" or "also-agents"', usage);
  if (attributes !== undefined && typeof attributes !== "function" && !isObject(attributes))
    throw invalid("attributes", place, "an object or a function that returns one", attributes);
  assertAtLeast("maxChars", maxChars, leastChars);
  return read;
}

const leastChars = 100;
const defaultChars = 8_000;

/** The settings of checked options. What they leave open, the variables of OpenTelemetry say. */
export function settingsOf({ content, attributes = {}, usage, maxChars }: TracingOptions): Settings {
  const places: readonly unknown[] = content === undefined ? placesOfEnvironment() : [content];
  return {
    hasMessages: places.includes(true) || places.includes("messages"),
    hasTools: places.includes(true) || places.includes("tools"),
    hasEvents: places.includes("events"),
    attributes,
    isUsageOfAgents: usage === "also-agents",
    maxChars: maxChars ?? defaultChars,
    hasLatestMetrics: variable("OTEL_SEMCONV_STABILITY_OPT_IN")
      .split(",")
      .some((name) => name.trim() === "gen_ai_latest_experimental"),
  };
}

/** Where the content goes, in the forms that OpenTelemetry's own instrumentations read: a flag, and later the places. */
function placesOfEnvironment(): readonly (true | "events")[] {
  switch (variable("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT").trim().toLowerCase()) {
    case "true":
    case "1":
    case "span_only":
      return [true];
    case "event_only":
      return ["events"];
    case "span_and_event":
      return [true, "events"];
    default:
      return [];
  }
}

function variable(name: string): string {
  return globalThis.process?.env[name] ?? "";
}

function invalid(option: string, place: string, expected: string, value: unknown): Error {
  return invalidOption(`${option} of ${place} must be ${expected}, not ${describeValue(value)}.`, { option });
}

import type { RunInfo } from "./steps/middleware.ts";

/** The value of an attribute of a span. */
export type TraceValue = string | number | boolean | readonly string[];

/** Attributes for all spans of a run. */
export interface TraceAttributes {
  readonly [name: string]: TraceValue | undefined;
}

/** What is traced of runs. */
export interface TracingOptions {
  /**
   * Whether spans have what people and models say, what tools get and return, and the messages of errors: `"tools"` only the arguments
   * and results of tools, `"messages"` all but these. `"events"` leaves spans without content: messages are in an event of the logs for each
   * model call, `gen_ai.client.inference.operation.details`, which `@opentelemetry/api` has from 1.10 on. `false` by default, or what
   * `OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT` says. Masked results stay masked.
   */
  readonly content?: boolean | "messages" | "tools" | "events";
  /** Further attributes of each span, such as `"user.id"`: a function is called once for each run. What it throws is printed. */
  readonly attributes?: TraceAttributes | ((info: RunInfo) => TraceAttributes);
  /**
   * Where the tokens stand: on the spans of model calls alone, `"chat"`, by default, since backends add spans up; with `"also-agents"`
   * an agent's span has the sum of its own.
   */
  readonly usage?: "chat" | "also-agents";
  /** The most characters of each text that `content` adds; 8,000 by default. */
  readonly maxChars?: number;
}

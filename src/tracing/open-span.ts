import type { Attributes, Context, Link, Span, SpanContext, SpanKind, Tracer } from "@opentelemetry/api";
import type { TraceValue } from "../run/tracing-options.ts";
import type { OpenTelemetry } from "./api.ts";
import { safeMessage } from "../base/util/error-message.ts";
import type { ContentWriter } from "./content.ts";
import { harmless } from "./harmless.ts";
import { attribute } from "./names.ts";
import type { Settings } from "./settings.ts";

/** What makes spans. */
export interface Tracing {
  readonly api: OpenTelemetry;
  readonly tracer: Tracer;
}

/** How to begin a span. */
export interface SpanStart {
  readonly name: string;
  readonly kind: SpanKind;
  /** All that is known by then: an SDK takes several times as long for what is set later. */
  readonly attributes: Attributes;
  readonly links?: Link[];
}

/** One of the spans of a run, which ends once, however often it is ended. */
export class OpenSpan {
  readonly #span: Span;
  /** Where it is active. */
  readonly context: Context;
  /** Whether anybody gets to see it: where nobody does, nothing more is computed. */
  readonly isRecording: boolean;
  readonly #api: OpenTelemetry;
  readonly #startedAt = performance.now();
  #isEnded = false;

  constructor({ api, tracer }: Tracing, parent: Context, start: SpanStart) {
    this.#api = api;
    const span = harmless(() => tracer.startSpan(start.name, start, parent));
    this.#span = span ?? api.trace.wrapSpanContext(api.INVALID_SPAN_CONTEXT);
    this.isRecording = this.#span.isRecording();
    this.context = this.within(parent);
  }

  /** Seconds since it began. */
  get seconds(): number {
    return (performance.now() - this.#startedAt) / 1000;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** What others refer to it by. */
  get spanContext(): SpanContext {
    return this.#span.spanContext();
  }

  /** A context in which it is active. */
  within(context: Context): Context {
    return this.#api.trace.setSpan(context, this.#span);
  }

  /** Sets an attribute if it has a value. */
  set(name: string, value: TraceValue | undefined): void {
    if (value !== undefined) this.add({ [name]: value });
  }

  /** Sets attributes. */
  add(attributes: Attributes): void {
    if (!this.#isEnded) harmless(() => this.#span.setAttributes(attributes));
  }

  /** Notes that something has happened. */
  note(event: string, attributes: Attributes): void {
    if (!this.#isEnded) harmless(() => this.#span.addEvent(event, attributes));
  }

  /** Marks it as failed. */
  fail(message: string | undefined): void {
    if (this.#isEnded) return;
    const { ERROR: code } = this.#api.SpanStatusCode;
    harmless(() => this.#span.setStatus(message === undefined ? { code } : { code, message }));
  }

  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    harmless(() => this.#span.end());
  }
}

/**
 * Ends a span.
 * @param type - The class of its error, if it has failed.
 * @param error - Its message is shown only where content is.
 */
export function endSpan(
  span: OpenSpan,
  settings: Settings,
  writer: ContentWriter,
  type: string | undefined,
  error: unknown,
): void {
  if (type !== undefined && span.isRecording) {
    span.set(attribute.errorType, type);
    const isShown = error !== undefined && settings.hasMessages;
    span.fail(isShown ? writer.cut(safeMessage(error)) : undefined);
  }
  span.end();
}

import type { Attributes, Context, Link, Span, SpanKind, Tracer } from "@opentelemetry/api";
import type { TraceValue } from "../run/tracing-options.ts";
import type { OpenTelemetry } from "./api.ts";

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
  readonly span: Span;
  /** Where it is active. */
  readonly context: Context;
  /** Whether anybody gets to see it: where nobody does, nothing more is computed. */
  readonly isRecording: boolean;
  readonly #api: OpenTelemetry;
  readonly #startedAt = performance.now();
  #isEnded = false;

  constructor({ api, tracer }: Tracing, parent: Context, start: SpanStart) {
    this.#api = api;
    this.span = tracer.startSpan(start.name, start, parent);
    this.isRecording = this.span.isRecording();
    this.context = api.trace.setSpan(parent, this.span);
  }

  /** Seconds since it began. */
  get seconds(): number {
    return (performance.now() - this.#startedAt) / 1000;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Sets an attribute, unless there is no value. */
  set(name: string, value: TraceValue | undefined): void {
    if (value !== undefined && !this.#isEnded) this.span.setAttribute(name, value);
  }

  /** Marks it as failed. */
  fail(message: string | undefined): void {
    if (this.#isEnded) return;
    const { ERROR: code } = this.#api.SpanStatusCode;
    this.span.setStatus(message === undefined ? { code } : { code, message });
  }

  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.span.end();
  }
}

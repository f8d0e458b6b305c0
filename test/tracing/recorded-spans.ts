/** What an SDK of OpenTelemetry receives of runs, as text that tests compare. */
import {
  context,
  diag,
  DiagLogLevel,
  metrics,
  type Attributes,
  type Link,
  type Span,
  type SpanContext,
  SpanKind,
  type SpanStatus,
  SpanStatusCode,
  trace,
  type TracerProvider,
} from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";

/** A span as both majors of the SDK pass it to processors. */
export interface RecordedSpan {
  readonly name: string;
  readonly kind: SpanKind;
  readonly status: SpanStatus;
  readonly attributes: Attributes;
  readonly links: readonly Link[];
  readonly events: readonly { readonly name: string; readonly attributes?: Attributes }[];
  readonly parentSpanContext?: SpanContext;
  spanContext(): SpanContext;
}

/** Makes a provider of an SDK that passes its spans to the processor. */
export type MakeProvider = (processor: SpanRecorder) => TracerProvider;

/** A processor of spans that keeps them. */
export class SpanRecorder {
  /** In the order in which they began. */
  readonly started: string[] = [];
  readonly ended: RecordedSpan[] = [];
  /** What the SDK complains of, such as a span that ends twice. */
  readonly complaints: string[] = [];

  onStart(span: Span): void {
    this.started.push(span.spanContext().spanId);
  }

  onEnd(span: RecordedSpan): void {
    this.ended.push(span);
  }

  async forceFlush(): Promise<void> {}

  async shutdown(): Promise<void> {}

  /** How many spans are open. */
  get open(): number {
    return this.started.length - this.ended.length;
  }

  clear(): void {
    for (const list of [this.started, this.ended, this.complaints]) list.length = 0;
  }

  /** The spans as an outline, each below its parent, in the order in which they began. */
  tree(): string {
    const spans = this.ended.toSorted((one, next) => this.#order(one) - this.#order(next));
    const ids = new Set(spans.map((span) => span.spanContext().spanId));
    const childrenOf = (id: string | undefined): readonly RecordedSpan[] =>
      spans.filter(({ parentSpanContext: parent }) =>
        id === undefined ? !parent || !ids.has(parent.spanId) : parent?.spanId === id,
      );
    const lines = (id: string | undefined, depth: number): readonly string[] =>
      childrenOf(id).flatMap((span) => [
        `${"  ".repeat(depth)}${this.#line(span)}`,
        ...lines(span.spanContext().spanId, depth + 1),
      ]);
    return lines(undefined, 0).join("\n");
  }

  #order(span: RecordedSpan): number {
    return this.started.indexOf(span.spanContext().spanId);
  }

  #line({ name, kind, status, attributes, events, links }: RecordedSpan): string {
    const facts = [
      kind === SpanKind.CLIENT ? "CLIENT" : "",
      status.code === SpanStatusCode.ERROR ? `ERROR ${String(attributes["error.type"])}` : "",
      attributes["skein.run.status"],
      attributes["skein.tool.outcome"],
      attributes["skein.tool.cached"] === true ? "cached" : "",
      ...events.map((event) => `+${event.name} ${String(event.attributes?.["error.type"])}`),
      ...links.map(({ context: linked }) => `-> ${this.#nameOf(linked)}`),
    ].filter(Boolean);
    return `${name}${facts.length > 0 ? ` (${facts.join(", ")})` : ""}`;
  }

  #nameOf({ spanId }: SpanContext): string {
    return this.ended.find((span) => span.spanContext().spanId === spanId)?.name ?? "another";
  }
}

/** Registers an SDK for the process. Returns what it receives, and what takes it away. */
export function registerSdk(makeProvider: MakeProvider): {
  readonly recorder: SpanRecorder;
  readonly unregister: () => void;
} {
  const recorder = new SpanRecorder();
  const complain = (message: string): void => void recorder.complaints.push(message);
  const silent = (): void => {};
  diag.setLogger(
    { error: complain, warn: complain, info: silent, debug: silent, verbose: silent },
    DiagLogLevel.WARN,
  );
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(makeProvider(recorder));
  return {
    recorder,
    unregister: () => {
      for (const api of [trace, context, metrics, diag]) api.disable();
    },
  };
}

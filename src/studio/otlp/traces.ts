import type { RunRecord } from "../run-record.ts";
import type { RunRing } from "../ring.ts";
import { unref } from "../../base/util/unref.ts";
import { buildTrace, idOfTrace } from "./build-trace.ts";
import { detailsEvent } from "../../tracing/names.ts";
import { kindOf, sizeOf, sizeOfSpan } from "./gen-ai-span.ts";
import type { LogEvent, Span, SpanEvent } from "./spans.ts";

/** How much is stored of traces. */
export interface TraceLimits {
  /** How many traces; those that are shown as runs are forgotten with these, too. */
  readonly traces: number;
  /** How many spans a trace may have. */
  readonly spans: number;
  /** About how many bytes all spans may take; a trace that takes a quarter of them gets no more content. */
  readonly bytes: number;
}

const standardLimits: TraceLimits = { traces: 2_000, spans: 5_000, bytes: 64 * 1024 * 1024 };

/** The longest text that is not content, in characters. */
const longestName = 200;

/** How many spans of agents, and roots, a trace may have beyond its limit. */
const mostSpare = 100;

/** For how long spans that are missing may still come, in milliseconds: SDKs send what has ended every five seconds. */
const patience = 30_000;

/** The spans of one trace. */
interface Trace {
  readonly spans: Map<string, Span>;
  /** What was said in model calls whose spans have not come yet. */
  readonly early: Map<string, SpanEvent>;
  size: number;
  record: RunRecord | undefined;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/** Traces as runs among the others, each rebuilt whenever spans of it come. */
export class Traces {
  readonly #ring: RunRing;
  readonly #limits: TraceLimits;
  readonly #traces = new Map<string, Trace>();
  #size = 0;

  constructor(ring: RunRing, limits: TraceLimits = standardLimits) {
    this.#ring = ring;
    this.#limits = limits;
  }

  /** Adds spans, and returns how many there was no room for. */
  add(spans: readonly Span[]): number {
    const changed = new Map<string, Trace>();
    let rejected = 0;
    for (const span of spans) {
      const trace = this.#traceOf(span.traceId);
      if (this.#addSpan(trace, this.#withEarly(trace, span))) changed.set(span.traceId, trace);
      else rejected++;
    }
    for (const [traceId, trace] of changed) this.#show(traceId, trace);
    this.#trim();
    return rejected;
  }

  /** Adds what the logs have of model calls to their spans. What there is no room for is left out. */
  addEvents(events: readonly LogEvent[]): void {
    const changed = new Map<string, Trace>();
    for (const { traceId, spanId, event } of events) {
      if (event.name !== detailsEvent) continue;
      const trace = this.#traceOf(traceId);
      const span = trace.spans.get(spanId);
      if (!span) this.#addEarly(trace, spanId, event);
      else if (this.#addSpan(trace, withEvent(span, event))) changed.set(traceId, trace);
    }
    for (const [traceId, trace] of changed) this.#show(traceId, trace);
    this.#trim();
  }

  #addEarly(trace: Trace, spanId: string, event: SpanEvent): void {
    const { spans, bytes } = this.#limits;
    const size = sizeOf(event.attributes);
    if (trace.early.has(spanId) || trace.early.size >= spans || trace.size + size > bytes / 4) return;
    trace.early.set(spanId, event);
    trace.size += size;
    this.#size += size;
  }

  /** A span with what was said before it came. */
  #withEarly(trace: Trace, span: Span): Span {
    const event = trace.early.get(span.spanId);
    if (!event) return span;
    trace.early.delete(span.spanId);
    const size = sizeOf(event.attributes);
    trace.size -= size;
    this.#size -= size;
    return withEvent(span, event);
  }

  /** Nothing is shown any more. */
  close(): void {
    for (const [traceId, trace] of this.#traces) this.#forget(traceId, trace);
  }

  #traceOf(traceId: string): Trace {
    const earlier = this.#traces.get(traceId);
    // A run that was forgotten begins again with what comes now.
    const isForgotten = earlier?.record !== undefined && !this.#ring.get(idOfTrace(traceId));
    if (earlier && !isForgotten) return earlier;
    if (earlier) this.#forget(traceId, earlier);
    const trace: Trace = { spans: new Map(), early: new Map(), size: 0, record: undefined, timer: undefined };
    this.#traces.set(traceId, trace);
    return trace;
  }

  #addSpan(trace: Trace, span: Span): boolean {
    const { spans: mostSpans, bytes } = this.#limits;
    const earlier = trace.spans.get(span.spanId);
    // Those around the others end last: without them a trace would never be over.
    const kind = kindOf(span);
    const isAround = kind === "agent" || (kind === undefined && span.parentSpanId === undefined);
    if (!earlier && trace.spans.size >= mostSpans + (isAround ? mostSpare : 0)) return false;
    const before = earlier ? sizeOfSpan(earlier) : 0;
    const add = (stored: Span, most: number): boolean => {
      const more = sizeOfSpan(stored) - before;
      if (trace.size + more > most) return false;
      trace.spans.set(span.spanId, stored);
      trace.size += more;
      this.#size += more;
      return true;
    };
    // Of other spans only their place counts.
    if (!kind) return add({ ...span, attributes: new Map(), events: [] }, bytes / 3);
    return add(span, bytes / 4) || add(withoutContent(span), isAround ? bytes / 2 : bytes / 3);
  }

  #show(traceId: string, trace: Trace, isSettled = false): void {
    clearTimeout(trace.timer);
    const record = buildTrace([...trace.spans.values()], isSettled);
    if (!record) return;
    // What is read of the spans is beside them.
    record.size += 2 * trace.size;
    // Pages read a run again once its revision is another one.
    record.revision = (trace.record?.revision ?? 0) + 1;
    trace.record = record;
    this.#ring.add(record);
    if (record.status !== "running") return;
    trace.timer = setTimeout(() => this.#show(traceId, trace, true), patience);
    unref(trace.timer);
  }

  /** Forgets what is not among the runs any more, and then the oldest. */
  #trim(): void {
    for (const [traceId, trace] of this.#traces)
      if (trace.record && !this.#ring.get(idOfTrace(traceId))) this.#forget(traceId, trace);
    for (const [traceId, trace] of this.#traces) {
      if (this.#traces.size <= this.#limits.traces && this.#size <= this.#limits.bytes) return;
      this.#forget(traceId, trace);
    }
  }

  #forget(traceId: string, { timer, size }: Trace): void {
    clearTimeout(timer);
    this.#size -= size;
    this.#traces.delete(traceId);
  }
}

function withEvent(span: Span, event: SpanEvent): Span {
  return { ...span, events: [event, ...span.events.filter(({ name }) => name !== event.name)] };
}

/** A span of a trace that has no room for what was said: only its figures and names. */
function withoutContent(span: Span): Span {
  const short = ([, value]: readonly [string, unknown]): boolean =>
    typeof value === "string" ? value.length <= longestName : typeof value !== "object";
  return { ...span, attributes: new Map([...span.attributes].filter(short)), events: [] };
}

/** What a request to another process says of the trace that it belongs to, by the names of the W3C: `traceparent`, `tracestate`. */
export type TraceFields = Readonly<Record<string, string>>;

/** Reads the fields where a request is made; `undefined` where that is not traced. Must not throw. */
export type TraceSource = () => TraceFields | undefined;

let source: TraceSource | undefined;

/** Has requests to other processes say which trace they belong to. */
export function setTraceSource(current: TraceSource): void {
  source = current;
}

/** The fields for a request that is made here. */
export function traceFields(): TraceFields | undefined {
  return source?.();
}

import type { Link, SpanContext } from "@opentelemetry/api";
import type { TraceFields } from "../tool/trace-fields.ts";
import { loadedApi, type OpenTelemetry } from "./api.ts";

/** The name of the field, and of the note that a run keeps, which say which span something belongs to (W3C Trace Context). */
export const traceparent = "traceparent";

/** A span as the W3C writes it; `undefined` for one that no SDK has made. */
export function writeTraceparent(
  api: OpenTelemetry,
  { traceId, spanId, traceFlags }: SpanContext,
): string | undefined {
  if (!api.isSpanContextValid({ traceId, spanId, traceFlags })) return undefined;
  return `00-${traceId}-${spanId}-${(traceFlags & 0xff).toString(16).padStart(2, "0")}`;
}

/** A link to the span that the text names; none for anything else, since states come from anywhere. */
export function linkTo(api: OpenTelemetry, text: string | undefined): Link[] {
  const [, traceId = "", spanId = "", flags = ""] =
    /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(text ?? "") ?? [];
  const context: SpanContext = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return api.isSpanContextValid(context) ? [{ context }] : [];
}

let mark: symbol | undefined;

/** Marks contexts in which a traced run works. */
export function markOf(api: OpenTelemetry): symbol {
  return (mark ??= api.createContextKey("skein.tracing"));
}

/** What a request to a server says of the span that is active: nothing outside traced runs, and nothing of their baggage. */
export function fieldsOfActiveSpan(): TraceFields | undefined {
  const api = loadedApi();
  const active = api?.context.active();
  if (!api || !active?.getValue(markOf(api))) return undefined;
  const context = api.trace.getSpanContext(active);
  const parent = context && writeTraceparent(api, context);
  if (parent === undefined) return undefined;
  const state = context?.traceState?.serialize();
  return { [traceparent]: parent, ...(state && { tracestate: state }) };
}

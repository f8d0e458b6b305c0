import { isObject } from "../../base/util/json.ts";

/** A span of OpenTelemetry, as far as the studio reads it. Times are milliseconds since 1970. */
export interface Span {
  /** In hexadecimal digits, as all ids. */
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly attributes: Attributes;
  readonly events: readonly SpanEvent[];
  readonly hasFailed: boolean;
  /** Of the status: what has failed. */
  readonly problem: string;
  /** The program that sent it. */
  readonly service: string;
}

/** Something that happened within a span. */
export interface SpanEvent {
  readonly name: string;
  readonly time: number;
  readonly attributes: Attributes;
}

/** An event of the logs that belongs to a span. */
export interface LogEvent {
  readonly traceId: string;
  readonly spanId: string;
  readonly event: SpanEvent;
}

/** Attributes by their names: JSON of bounded depth. */
export type Attributes = ReadonlyMap<string, unknown>;

/** What a request has brought. */
export interface SpanBatch {
  readonly spans: readonly Span[];
  /** How many spans were left out: they have no valid ids, or are too many. */
  readonly rejected: number;
}

/** How many spans one request may bring. */
const mostSpans = 10_000;
/** How many attributes a span or an event may have. SDKs stop at 128 by themselves. */
const mostAttributes = 256;
const mostEvents = 256;
/** The longest name or message, in characters. */
const longestName = 1_000;
/** The longest text in an attribute, in characters: a whole conversation fits. */
const longestText = 4_000_000;
/** How deep values of attributes may be within one another. */
const mostLevels = 32;

/** The spans of an `ExportTraceServiceRequest` in OTLP's JSON. What has another type than it must is as if it were not there. */
export function readSpans(request: unknown): SpanBatch {
  const spans: Span[] = [];
  let rejected = 0;
  for (const resourceSpans of objectsIn(request, "resourceSpans")) {
    const resource = isObject(resourceSpans["resource"]) ? resourceSpans["resource"] : {};
    const service = readName(readAttributes(resource).get("service.name"));
    for (const scopeSpans of objectsIn(resourceSpans, "scopeSpans")) {
      for (const each of objectsIn(scopeSpans, "spans")) {
        const span = spans.length < mostSpans ? readSpan(each, service) : undefined;
        if (span) spans.push(span);
        else rejected++;
      }
    }
  }
  return { spans, rejected };
}

/** The events of an `ExportLogsServiceRequest` in OTLP's JSON that have a name, and belong to a span. */
export function readLogEvents(request: unknown): readonly LogEvent[] {
  return objectsIn(request, "resourceLogs")
    .flatMap((resourceLogs) => objectsIn(resourceLogs, "scopeLogs"))
    .flatMap((scopeLogs) => objectsIn(scopeLogs, "logRecords"))
    .slice(0, mostSpans)
    .flatMap((fields) => {
      const traceId = readId(fields["traceId"], 32);
      const spanId = readId(fields["spanId"], 16);
      const name = readName(fields["eventName"]);
      if (traceId === undefined || spanId === undefined || name === "") return [];
      const event = { name, time: readTime(fields["timeUnixNano"]), attributes: readAttributes(fields) };
      return [{ traceId, spanId, event }];
    });
}

type Fields = Readonly<Record<string, unknown>>;

function readSpan(fields: Fields, service: string): Span | undefined {
  const traceId = readId(fields["traceId"], 32);
  const spanId = readId(fields["spanId"], 16);
  if (traceId === undefined || spanId === undefined) return undefined;
  const start = readTime(fields["startTimeUnixNano"]);
  const status = isObject(fields["status"]) ? fields["status"] : {};
  return {
    traceId,
    spanId,
    parentSpanId: readId(fields["parentSpanId"], 16),
    name: readName(fields["name"]),
    start,
    end: Math.max(start, readTime(fields["endTimeUnixNano"])),
    attributes: readAttributes(fields),
    events: objectsIn(fields, "events")
      .slice(0, mostEvents)
      .map((event) => ({
        name: readName(event["name"]),
        time: readTime(event["timeUnixNano"]),
        attributes: readAttributes(event),
      })),
    // Enumerations are numbers, and were names before.
    hasFailed: status["code"] === 2 || status["code"] === "STATUS_CODE_ERROR",
    problem: readName(status["message"]),
    service,
  };
}

function objectsIn(fields: unknown, name: string): readonly Fields[] {
  const list = isObject(fields) ? fields[name] : undefined;
  return Array.isArray(list) ? list.filter(isObject) : [];
}

/** An id; `undefined` for one that is not valid, as that of all zeros. */
function readId(value: unknown, digits: number): string | undefined {
  if (typeof value !== "string" || value.length !== digits) return undefined;
  return /^[\da-f]+$/i.test(value) && !/^0+$/.test(value) ? value.toLowerCase() : undefined;
}

function readName(value: unknown): string {
  return typeof value === "string" ? value.slice(0, longestName) : "";
}

/** Nanoseconds as a number or as its digits. */
function readTime(value: unknown): number {
  const nanoseconds = typeof value === "string" || typeof value === "number" ? Number(value) : 0;
  // Later ones are not dates.
  return nanoseconds > 0 && nanoseconds < 8e21 ? nanoseconds / 1e6 : 0;
}

function readAttributes(fields: Fields): Attributes {
  const attributes = new Map<string, unknown>();
  for (const { key, value } of objectsIn(fields, "attributes").slice(0, mostAttributes)) {
    if (typeof key !== "string" || key.length > longestName) continue;
    attributes.set(key, readValue(value, mostLevels));
  }
  return attributes;
}

/** An `AnyValue` as plain JSON. */
function readValue(value: unknown, levels: number): unknown {
  if (!isObject(value) || levels === 0) return undefined;
  const { stringValue, boolValue, intValue, doubleValue, arrayValue, kvlistValue } = value;
  if (typeof stringValue === "string") return stringValue.slice(0, longestText);
  if (typeof boolValue === "boolean") return boolValue;
  if (typeof intValue === "string" || typeof intValue === "number") return finite(Number(intValue));
  if (typeof doubleValue === "number") return finite(doubleValue);
  if (isObject(arrayValue)) {
    const { values } = arrayValue;
    return Array.isArray(values) ? values.map((item) => readValue(item, levels - 1)) : [];
  }
  if (isObject(kvlistValue))
    return Object.fromEntries(
      objectsIn(kvlistValue, "values").map(({ key, value: member }) => [
        readName(key),
        readValue(member, levels - 1),
      ]),
    );
  return undefined;
}

function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}

import { ProtobufError, ProtobufReader } from "./protobuf-reader.ts";

/** How the value of a field is written. */
type Scalar = "text" | "id" | "varint" | "bool" | "fixed64" | "double";

/** A field of a message: its name in OTLP's JSON, and its type. A list where it may be there several times. */
type Field =
  | readonly [name: string, type: Scalar | (() => MessageType)]
  | readonly [name: string, type: () => MessageType, isList: true];

/** The fields of a message by their numbers; all others are passed over. */
type MessageType = Readonly<Record<number, Field>>;

/** A message in the form that OTLP's JSON has. */
type Decoded = Record<string, unknown>;

// github.com/open-telemetry/opentelemetry-proto: common.proto, trace.proto, resource.proto, trace_service.proto
const anyValue: MessageType = {
  1: ["stringValue", "text"],
  2: ["boolValue", "bool"],
  3: ["intValue", "varint"],
  4: ["doubleValue", "double"],
  5: ["arrayValue", () => ({ 1: ["values", () => anyValue, true] })],
  6: ["kvlistValue", () => ({ 1: ["values", () => keyValue, true] })],
};
const keyValue: MessageType = { 1: ["key", "text"], 2: ["value", () => anyValue] };
const event: MessageType = {
  1: ["timeUnixNano", "fixed64"],
  2: ["name", "text"],
  3: ["attributes", () => keyValue, true],
};
const status: MessageType = { 2: ["message", "text"], 3: ["code", "varint"] };
const span: MessageType = {
  1: ["traceId", "id"],
  2: ["spanId", "id"],
  4: ["parentSpanId", "id"],
  5: ["name", "text"],
  7: ["startTimeUnixNano", "fixed64"],
  8: ["endTimeUnixNano", "fixed64"],
  9: ["attributes", () => keyValue, true],
  11: ["events", () => event, true],
  15: ["status", () => status],
};
const resource: MessageType = { 1: ["attributes", () => keyValue, true] };
const scopeSpans: MessageType = { 2: ["spans", () => span, true] };
const resourceSpans: MessageType = {
  1: ["resource", () => resource],
  2: ["scopeSpans", () => scopeSpans, true],
};
const traceRequest: MessageType = { 1: ["resourceSpans", () => resourceSpans, true] };

// logs.proto, logs_service.proto
const logRecord: MessageType = {
  1: ["timeUnixNano", "fixed64"],
  6: ["attributes", () => keyValue, true],
  9: ["traceId", "id"],
  10: ["spanId", "id"],
  12: ["eventName", "text"],
};
const scopeLogs: MessageType = { 2: ["logRecords", () => logRecord, true] };
const resourceLogs: MessageType = { 2: ["scopeLogs", () => scopeLogs, true] };
const logsRequest: MessageType = { 1: ["resourceLogs", () => resourceLogs, true] };

/** How deep messages may be within one another: a span of an ordinary trace has seven levels. */
const mostLevels = 64;
/** How many messages a request may have: an empty one takes two bytes on the wire, and a hundred in memory. */
const mostMessages = 1_000_000;

const texts = new TextDecoder();

/**
 * An `ExportTraceServiceRequest` in the form that OTLP's JSON has; of the other fields nothing is read.
 * @throws ProtobufError
 */
export function decodeTraceRequest(bytes: Uint8Array): unknown {
  return new Decoder().message(bytes, traceRequest, mostLevels);
}

/**
 * The same for an `ExportLogsServiceRequest`.
 * @throws ProtobufError
 */
export function decodeLogsRequest(bytes: Uint8Array): unknown {
  return new Decoder().message(bytes, logsRequest, mostLevels);
}

class Decoder {
  #left = mostMessages;

  message(bytes: Uint8Array, type: MessageType, levels: number): Decoded {
    if (levels === 0) throw new ProtobufError(`The message has more than ${mostLevels} levels.`);
    if (this.#left-- === 0) throw new ProtobufError(`The request has more than ${mostMessages} messages.`);
    const decoded: Decoded = {};
    const reader = new ProtobufReader(bytes);
    while (!reader.isAtEnd) {
      const { field, wireType } = reader.tag();
      const [name, kind, isList] = type[field] ?? [];
      if (name === undefined || kind === undefined || wireType !== wireTypeOf(kind)) {
        reader.skip(wireType);
        continue;
      }
      const value =
        typeof kind === "string" ? scalar(reader, kind) : this.message(reader.bytes(), kind(), levels - 1);
      if (!isList) decoded[name] = value;
      else if (Array.isArray(decoded[name])) decoded[name].push(value);
      else decoded[name] = [value];
    }
    return decoded;
  }
}

function wireTypeOf(kind: Scalar | (() => MessageType)): number {
  if (kind === "varint" || kind === "bool") return 0;
  return kind === "fixed64" || kind === "double" ? 1 : 2;
}

function scalar(reader: ProtobufReader, kind: Scalar): unknown {
  switch (kind) {
    case "text":
      return texts.decode(reader.bytes());
    case "id":
      return Buffer.from(reader.bytes()).toString("hex");
    case "varint":
      return reader.varint();
    case "bool":
      return reader.varint() !== 0;
    case "fixed64":
      return reader.fixed64();
    case "double":
      return reader.double();
  }
}

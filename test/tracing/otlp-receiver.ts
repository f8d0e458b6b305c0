/** A receiver of OTLP over HTTP, for JSON and protobuf: what of the protocol the tests need. */
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";

/** A span as it has arrived. */
export interface ReceivedSpan {
  readonly name: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** What has arrived at an address. */
export interface OtlpReceiver {
  readonly url: string;
  readonly spans: ReceivedSpan[];
  /** Path and headers of each request. */
  readonly requests: { readonly path: string; readonly headers: Readonly<Record<string, unknown>> }[];
  close(): void;
}

/** Receives on 127.0.0.1, on a free port. */
export async function receiveOtlp(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const requests: OtlpReceiver["requests"] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const body = await buffer(request);
      const { url: path = "", headers } = request;
      requests.push({ path, headers });
      const isJson = headers["content-type"]?.includes("json");
      spans.push(...(isJson ? spansOfJson(JSON.parse(body.toString())) : spansOfProtobuf(body)));
      response.writeHead(200, { "content-type": headers["content-type"] }).end(isJson ? "{}" : "");
    })();
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}`, spans, requests, close };
}

interface JsonValue {
  readonly stringValue?: string;
  readonly intValue?: number | string;
  readonly doubleValue?: number;
  readonly boolValue?: boolean;
  readonly arrayValue?: { readonly values: readonly JsonValue[] };
}

interface JsonRequest {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly {
      readonly spans: readonly {
        readonly name: string;
        readonly spanId: string;
        readonly parentSpanId?: string;
        readonly attributes: readonly { readonly key: string; readonly value: JsonValue }[];
      }[];
    }[];
  }[];
}

function spansOfJson({ resourceSpans }: JsonRequest): readonly ReceivedSpan[] {
  return resourceSpans
    .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
    .map(({ name, spanId, parentSpanId = "", attributes }) => ({
      name,
      spanId,
      parentSpanId,
      attributes: Object.fromEntries(attributes.map(({ key, value }) => [key, plainValue(value)])),
    }));
}

function plainValue({ stringValue, intValue, doubleValue, boolValue, arrayValue }: JsonValue): unknown {
  if (arrayValue) return arrayValue.values.map(plainValue);
  return stringValue ?? boolValue ?? doubleValue ?? (intValue === undefined ? undefined : Number(intValue));
}

/** The fields of a protobuf message, by number: numbers for varints, bytes for the rest. */
function fieldsOf(bytes: Buffer): ReadonlyMap<number, readonly (number | Buffer)[]> {
  const fields = new Map<number, (number | Buffer)[]>();
  let at = 0;
  const varint = (): number => {
    let [value, factor] = [0, 1];
    for (;;) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 0x7f) * factor;
      factor *= 128;
      if (byte < 0x80) return value;
    }
  };
  const take = (length: number): Buffer => bytes.subarray(at, (at += length));
  while (at < bytes.length) {
    const tag = varint();
    const type = tag & 7;
    const value = type === 0 ? varint() : take(type === 1 ? 8 : type === 5 ? 4 : varint());
    const number = tag >>> 3;
    fields.set(number, [...(fields.get(number) ?? []), value]);
  }
  return fields;
}

/** The messages in a field. */
function messages(
  fields: ReadonlyMap<number, readonly (number | Buffer)[]>,
  field: number,
): readonly Buffer[] {
  return (fields.get(field) ?? []).filter((value) => typeof value !== "number");
}

/** ExportTraceServiceRequest: resource_spans 1, of ResourceSpans: scope_spans 2, of ScopeSpans: spans 2. */
function spansOfProtobuf(bytes: Buffer): readonly ReceivedSpan[] {
  return messages(fieldsOf(bytes), 1)
    .flatMap((resource) => messages(fieldsOf(resource), 2))
    .flatMap((scope) => messages(fieldsOf(scope), 2))
    .map((span) => {
      const fields = fieldsOf(span);
      const [name, spanId, parent] = [5, 2, 4].map((field) => messages(fields, field)[0]);
      const attributes = messages(fields, 9).map((entry) => {
        const [key, value] = [1, 2].map((field) => messages(fieldsOf(entry), field)[0]);
        return [String(key), value && protobufValue(value)] as const;
      });
      return {
        name: String(name),
        spanId: spanId?.toString("hex") ?? "",
        parentSpanId: parent?.toString("hex") ?? "",
        attributes: Object.fromEntries(attributes),
      };
    });
}

/** AnyValue: string 1, bool 2, int 3, double 4, array 5. */
function protobufValue(bytes: Buffer): unknown {
  for (const [field, [value]] of fieldsOf(bytes)) {
    if (field === 2) return value === 1;
    if (typeof value === "number") return value;
    if (field === 4) return value?.readDoubleLE();
    if (field === 5 && value) return messages(fieldsOf(value), 1).map(protobufValue);
    return value?.toString();
  }
  return undefined;
}

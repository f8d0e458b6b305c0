import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { errorMessage } from "../../base/util/error-message.ts";
import { printFailure } from "../../base/util/callbacks.ts";
import { parseJsonBody, readBody } from "../../server/body.ts";
import { checkOrigin, localHosts } from "../../server/guard.ts";
import type { IncomingRequest } from "../../server/incoming.ts";
import { listen } from "../../server/listen.ts";
import { notFound, plainRefusal, Refusal } from "../../server/refusal.ts";
import type { RunRing } from "../ring.ts";
import { decodeLogsRequest, decodeTraceRequest } from "./decode-protobuf.ts";
import { ProtobufError } from "./protobuf-reader.ts";
import { readLogEvents, readSpans } from "./spans.ts";
import { Traces } from "./traces.ts";

/** The most bytes of a request, as sent and unpacked: four times what 20 long conversations take. */
const mostBytes = 16 * 1024 * 1024;
/** How many requests are read at once. SDKs send those that are refused again. */
const mostRequests = 8;

const unpack = promisify(gunzip);

/** What spans are sent to. */
export interface OtlpReceiver {
  /** Such as `http://127.0.0.1:4318`. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Receives spans by OTLP over HTTP, at 127.0.0.1 alone, and shows their traces among the runs.
 * @param port - `0` for a free one.
 * @throws ConfigurationError (`listen`)
 */
export async function receiveTraces(ring: RunRing, port: number): Promise<OtlpReceiver> {
  const traces = new Traces(ring);
  let current = 0;
  const answer = async (request: IncomingRequest): Promise<Response> => {
    current++;
    try {
      if (current > mostRequests)
        throw new Refusal(503, "busy", "Too many requests at once.", { "retry-after": "1" });
      return await answerRequest(request, traces);
    } catch (error) {
      return refuse(error);
    } finally {
      current--;
    }
  };
  const listening = await listen(answer, { port }, true);
  return {
    url: listening.url,
    close: async () => {
      traces.close();
      await listening.close();
    },
  };
}

/** @throws Refusal */
async function answerRequest(request: IncomingRequest, traces: Traces): Promise<Response> {
  // Pages of other sites are refused by their origin, and what else they can send by its type.
  checkOrigin(request, localHosts);
  const { pathname } = request.url;
  const signal = /^\/v1\/(traces|metrics|logs)$/.exec(pathname)?.[1];
  if (signal === undefined) throw notFound("The path: spans are sent to /v1/traces, which");
  if (request.method !== "POST") throw new Refusal(405, "method-not-allowed", "Use POST.", { allow: "POST" });
  const isJson = isJsonType(request.headers.get("content-type") ?? "");
  const body = await unpacked(await readBody(request, mostBytes), request.headers.get("content-encoding"));
  if (signal === "logs") {
    traces.addEvents(readLogEvents(isJson ? parseJsonBody(body) : decodeLogsRequest(body)));
    return accepted(isJson, 0);
  }
  // SDKs that send everything would otherwise report errors.
  if (signal === "metrics") return accepted(isJson, 0);
  const { spans, rejected } = readSpans(isJson ? parseJsonBody(body) : decodeTraceRequest(body));
  return accepted(isJson, rejected + traces.add(spans));
}

/** @throws Refusal (415) */
function isJsonType(type: string): boolean {
  if (/^application\/json\s*(?:;|$)/i.test(type)) return true;
  if (/^application\/x-protobuf\s*(?:;|$)/i.test(type)) return false;
  throw new Refusal(
    415,
    "unsupported-media-type",
    "The body must be OTLP: content-type: application/x-protobuf or application/json.",
  );
}

/** @throws Refusal (400, 413, 415) */
async function unpacked(body: Uint8Array, encoding: string | null): Promise<Uint8Array> {
  if (encoding === null || encoding === "" || encoding === "identity") return body;
  if (encoding !== "gzip")
    throw new Refusal(415, "unsupported-encoding", "The body must be plain, or content-encoding: gzip.");
  try {
    return await unpack(body, { maxOutputLength: mostBytes });
  } catch (error) {
    if (error instanceof RangeError)
      throw new Refusal(413, "body-too-large", `The body has more than ${mostBytes} bytes when unpacked.`);
    throw new Refusal(400, "invalid-body", "The body is not gzip.");
  }
}

/** The answer of OTLP: how many spans were left out, if any. */
function accepted(isJson: boolean, rejected: number): Response {
  const why = "Spans without valid ids, or more than the studio keeps.";
  if (isJson)
    return Response.json(
      rejected === 0 ? {} : { partialSuccess: { rejectedSpans: String(rejected), errorMessage: why } },
    );
  return new Response(rejected === 0 ? null : partialSuccess(rejected, why), {
    headers: { "content-type": "application/x-protobuf" },
  });
}

/** `partial_success` 1, of `rejected_spans` 1 and `error_message` 2. */
function partialSuccess(rejected: number, why: string): Uint8Array<ArrayBuffer> {
  const count: number[] = [];
  for (let rest = rejected; count.length === 0 || rest > 0; rest = Math.floor(rest / 128))
    count.push((rest % 128) + (rest >= 128 ? 128 : 0));
  const text = new TextEncoder().encode(why);
  const message = [0x08, ...count, 0x12, text.length, ...text];
  return new Uint8Array([0x0a, message.length, ...message]);
}

function refuse(error: unknown): Response {
  if (error instanceof Refusal) return plainRefusal(error);
  if (error instanceof ProtobufError) return plainRefusal(new Refusal(400, "invalid-body", error.message));
  printFailure("a request with spans", error);
  return plainRefusal(new Refusal(500, "internal", `The spans could not be read: ${errorMessage(error)}`));
}

import type { Fetch, FetchWrapper } from "../../model/wire-seam.ts";
import type { JsonValue } from "../../base/util/json.ts";
import { encodeChunk } from "./chunks.ts";
import { recordFailure } from "./errors.ts";
import type { RecordedAnswer, RecordedRequest, WireExchange } from "./format.ts";
import { type Redaction, redaction, secretsIn, secretsInUrl } from "./secrets.ts";

/** An exchange that may still go on; `record` is what is to be written down of it by now. */
export interface OpenExchange {
  record(): WireExchange;
  /** The secrets that the request carried: the model may repeat them. */
  readonly secrets: readonly string[];
}

/**
 * Lets requests pass and notes them, with the pieces of the answers as they come.
 * @param began - Called with each exchange when it begins.
 * @param ended - Called when nothing more can come.
 * @param piecesAhead - How many pieces of an answer are read before its reader asks for them.
 */
export function noting(
  secrets: readonly string[],
  began: (exchange: OpenExchange) => void,
  ended: () => void = () => undefined,
  piecesAhead = 0,
): FetchWrapper {
  return (fetch) => async (input, init) => {
    const outgoing = requestOf(input, init);
    const bytes = await outgoing.clone().arrayBuffer();
    const text = new TextDecoder().decode(bytes);
    const carried = [...secretsIn(outgoing.headers), ...secretsInUrl(outgoing.url)];
    const redact = redaction([...secrets, ...carried]);
    const pieces: Uint8Array[] = [];
    let state: { response?: Response; end?: RecordedAnswer["end"]; failure?: WireExchange["failure"] } = {};
    const request = recordedRequest(outgoing, text, redact);
    began({
      secrets: carried,
      record: () => ({
        request,
        ...(state.response && { response: answerOf(state.response, pieces, state.end, redact) }),
        ...(state.failure && { failure: state.failure }),
      }),
    });
    try {
      // A body that is read once only has been read.
      const response = await fetch(input, isStream(init?.body) ? { ...init, body: bytes } : init);
      state = { response, end: "left" };
      return follow(response, pieces, piecesAhead, (end) => {
        state = { response, end };
        ended();
      });
    } catch (error) {
      state = { failure: recordFailure(error, redact) };
      ended();
      throw error;
    }
  };
}

/** The request that `fetch` sends, as a copy: the body of the original stays unread. */
export function requestOf(...[input, init]: Parameters<Fetch>): Request {
  return new Request(input instanceof Request ? input.clone() : input, { ...init, signal: null });
}

/** A request as it is written down. */
export function recordedRequest(outgoing: Request, text: string, redact: Redaction): RecordedRequest {
  return {
    method: outgoing.method,
    url: redact.url(outgoing.url),
    headers: redact.requestHeaders(outgoing.headers),
    body: redact.json(jsonOrText(text)),
  };
}

function answerOf(
  { status, headers }: Response,
  pieces: readonly Uint8Array[],
  end: RecordedAnswer["end"],
  redact: Redaction,
): RecordedAnswer {
  return {
    status,
    headers: redact.answerHeaders(headers),
    chunks: redact.pieces(pieces).map(encodeChunk),
    ...(end && { end }),
  };
}

/** The same answer, its pieces noted on their way. */
function follow(
  response: Response,
  pieces: Uint8Array[],
  highWaterMark: number,
  ended: (end: RecordedAnswer["end"]) => void,
): Response {
  if (!response.body) {
    ended(undefined);
    return response;
  }
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) {
            ended(undefined);
            return controller.close();
          }
          // A reader may transfer the buffer.
          pieces.push(value.slice());
          controller.enqueue(value);
        } catch (error) {
          ended("cut");
          controller.error(error);
        }
      },
      async cancel(reason) {
        ended("left");
        await reader.cancel(reason);
      },
    },
    { highWaterMark },
  );
  const { status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers });
}

function isStream(body: unknown): boolean {
  return typeof body === "object" && body !== null && Symbol.asyncIterator in body;
}

function jsonOrText(text: string): JsonValue {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

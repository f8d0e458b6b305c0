import { MarkCounter } from "../../../base/util/mark-counter.ts";
import { mostMarks } from "./most-marks.ts";

/** What `mcp({ fetch })` takes. */
export type FetchLike = (url: string | URL, init?: RequestInit) => Promise<Response>;

/**
 * The same `fetch`, whose answers end with an error once they are longer than `limit` bytes, or have too many values for that; of a
 * stream of events, each single event.
 */
export function limitedFetch(fetch: FetchLike, limit: number): FetchLike {
  return async (url, init) => {
    const response = await fetch(url, init);
    if (!response.body) return response;
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
    const body = response.body.pipeThrough(limiter(limit, isStream));
    const { status, statusText, headers } = response;
    const limited = new Response(body, { status, statusText, headers });
    // Redirects are judged by where the answer comes from.
    Object.defineProperties(limited, {
      url: { value: response.url },
      type: { value: response.type },
      redirected: { value: response.redirected },
    });
    return limited;
  };
}

function limiter(limit: number, isStream: boolean): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  const marks = new MarkCounter();
  const count = (piece: Uint8Array): void => {
    marks.add(piece);
    if (marks.count > mostMarks(limit))
      throw new Error(`the server's answer has more values than maxMessageBytes (${limit} bytes) allows for`);
  };
  return new TransformStream({
    transform(chunk, controller) {
      // Events end with an empty line: what stands before the last one of a chunk is over.
      const end = isStream ? lastEmptyLine(chunk) : -1;
      bytes = end < 0 ? bytes + chunk.length : chunk.length - end;
      count(end < 0 ? chunk : chunk.subarray(0, end));
      if (end >= 0) {
        marks.reset();
        count(chunk.subarray(end));
      }
      if (bytes > limit)
        throw new Error(`the server's answer has more than maxMessageBytes (${limit} bytes)`);
      controller.enqueue(chunk);
    },
  });
}

/** Where the last empty line of the chunk begins. One that is parted by chunks is not seen, so events count twice at worst. */
function lastEmptyLine(chunk: Uint8Array): number {
  for (let at = chunk.lastIndexOf(10); at > 0; at = chunk.lastIndexOf(10, at - 1)) {
    const before = chunk[at - 1] === 13 ? at - 2 : at - 1;
    if (chunk[before] === 10) return at;
  }
  return -1;
}

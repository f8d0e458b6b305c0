import { isDeeperThan } from "../base/util/is-deeper-than.ts";
import type { BodyReader, IncomingRequest } from "./incoming.ts";
import { Refusal } from "./refusal.ts";

/** How deep objects and lists of a body may be within one another. */
const mostLevels = 64;

/** How long a client may take to send its body, in milliseconds. */
const longestBody = 30_000;

/** How many bytes are read, and what of the server allows more. */
interface SizeLimit {
  readonly maxBytes: number;
  readonly remedy: string | undefined;
}

/**
 * The body of a request as JSON.
 * @param maxBytes - The most bytes that are read.
 * @param remedy - What of the server allows more, for the refusal.
 * @throws Refusal (400, 408, 413, 415)
 */
export async function readJson(
  request: IncomingRequest,
  maxBytes: number,
  remedy?: string,
): Promise<unknown> {
  assertJson(request);
  return parseJsonBody(await readBody(request, maxBytes, remedy));
}

/**
 * The body of a request, whatever it is.
 * @param maxBytes - The most bytes that are read.
 * @param remedy - What of the server allows more, for the refusal.
 * @throws Refusal (400, 408, 413)
 */
export function readBody(request: IncomingRequest, maxBytes: number, remedy?: string): Promise<Uint8Array> {
  return readBytes(request, request.openBody(), { maxBytes, remedy });
}

/** The same for a request whose body may be left out: then it is `{}`. */
export async function readOptionalJson(
  request: IncomingRequest,
  maxBytes: number,
  remedy?: string,
): Promise<unknown> {
  if (request.headers.get("content-length") === "0") return {};
  const body = request.openBody();
  if (!body) return {};
  if (request.headers.has("content-type")) assertJson(request);
  const bytes = await readBytes(request, body, { maxBytes, remedy });
  // Not every client says that it sends no body: whether it does is seen by reading.
  if (bytes.byteLength === 0) return {};
  assertJson(request);
  return parseJsonBody(bytes);
}

/** Also keeps forms of other sites out, which browsers send without asking. */
function assertJson({ headers }: IncomingRequest): void {
  if (/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(headers.get("content-type") ?? "")) return;
  throw new Refusal(415, "unsupported-media-type", "The body must be JSON: content-type: application/json.");
}

/**
 * Bytes as JSON of bounded depth.
 * @throws Refusal (400)
 */
export function parseJsonBody(bytes: Uint8Array): unknown {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new Refusal(400, "invalid-body", "The body is not JSON.");
  }
  if (isDeeperThan(value, mostLevels))
    throw new Refusal(400, "invalid-body", `The body has more than ${mostLevels} levels.`);
  return value;
}

async function readBytes(
  request: IncomingRequest,
  body: BodyReader | undefined,
  limit: SizeLimit,
): Promise<Uint8Array> {
  const length = Number(request.headers.get("content-length") ?? 0);
  if (length > limit.maxBytes) throw tooLarge(limit);
  if (!body) return new Uint8Array();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new Refusal(408, "timeout", "The body did not arrive in time.")),
      longestBody,
    );
  });
  try {
    return await Promise.race([collect(body, limit), late]);
  } catch (error) {
    // The client may be gone, which is what is reported.
    body.cancel(error).catch(() => {});
    throw error instanceof Refusal ? error : new Refusal(400, "invalid-body", "The body ended early.");
  } finally {
    clearTimeout(timer);
  }
}

async function collect(body: BodyReader, limit: SizeLimit): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await body.read();
    if (done || !value) break;
    size += value.byteLength;
    if (size > limit.maxBytes) throw tooLarge(limit);
    chunks.push(value);
  }
  const [first] = chunks;
  if (first && chunks.length === 1) return first;
  const bytes = new Uint8Array(size);
  let place = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, place);
    place += chunk.byteLength;
  }
  return bytes;
}

function tooLarge({ maxBytes, remedy }: SizeLimit): Refusal {
  const hint = remedy === undefined ? "" : ` ${remedy}`;
  return new Refusal(413, "body-too-large", `The body has more than ${maxBytes} bytes.${hint}`);
}

import { bytesOf } from "../../../base/stream/bytes.ts";
import { readText } from "../../../base/stream/sse.ts";
import { parseExactJson } from "../../../base/util/exact-json.ts";
import type { JsonObject } from "../../../base/util/json.ts";
import { redirectMode } from "../../../transport/wire/redirect.ts";
import type { Fetch } from "../../../model/wire-seam.ts";
import { asObject, asText } from "../../kit/json-values.ts";
import { type BatchOutcome, type BatchOutcomes, NotSubmittedError } from "./types.ts";

/** How long one exchange may take, in milliseconds. */
const longestExchange = 300_000;

/** How much of an answer is read, in bytes: the results of a batch are one. */
const mostBytes = 134_217_728;

/** An answer that is not 2xx. */
export class BatchRefusal extends Error {
  override readonly name = "BatchRefusal";
  readonly status: number;
  readonly #headers: Headers;
  readonly #body: string;

  constructor(status: number, headers: Headers, body: string) {
    super(`The batch API answered with ${status}.`);
    this.status = status;
    this.#headers = headers;
    this.#body = body;
  }

  /** The answer, as that of a request which was sent by itself: its error becomes a typed one. */
  toResponse(): Response {
    const headers = new Headers(this.#headers);
    // Of what came over the wire, which was decoded.
    for (const name of ["content-encoding", "content-length", "transfer-encoding"]) headers.delete(name);
    return new Response(this.#body || null, { status: this.status, headers });
  }
}

/** Whether the same may succeed a while later: the network or the server has failed, not the request. */
export function isPassing(error: unknown): boolean {
  return !(error instanceof BatchRefusal) || isPassingStatus(error.status);
}

/** Whether a status says that the server has failed, or has too much to do. */
export function isPassingStatus(status: number): boolean {
  return status >= 500 || [408, 409, 425, 429].includes(status);
}

/** Exchanges with a batch API: the addresses below the model's, with its headers. */
export class BatchHttp {
  readonly #base: string;
  readonly #headers: Headers;
  readonly #fetch: Fetch;

  /** @param base - The address that paths are added to. */
  constructor(base: string, headers: Headers, fetch: Fetch) {
    this.#base = base;
    this.#headers = new Headers(headers);
    // Those of a request for a stream of events.
    for (const name of ["accept", "content-type"]) this.#headers.delete(name);
    this.#fetch = fetch;
  }

  get(path: string): Promise<string> {
    return this.#send(path, { method: "GET" });
  }

  /** @param body - Sent as JSON, or as a form; nothing if left out. */
  post(path: string, body?: object): Promise<string> {
    if (body === undefined || body instanceof FormData)
      return this.#send(path, { method: "POST", ...(body && { body }) });
    return this.#send(path, { method: "POST", body: JSON.stringify(body) }, "application/json");
  }

  /** As `post`, for what must be there before a batch can be. */
  async prepare(path: string, body: FormData): Promise<string> {
    try {
      return await this.post(path, body);
    } catch (error) {
      throw new NotSubmittedError(error);
    }
  }

  async #send(path: string, init: RequestInit, type?: string): Promise<string> {
    const headers = new Headers(this.#headers);
    if (type !== undefined) headers.set("content-type", type);
    const signal = AbortSignal.timeout(longestExchange);
    const response = await this.#fetch(this.#base + path, {
      ...init,
      headers,
      signal,
      redirect: redirectMode(),
    });
    const { text, isWhole } = response.body
      ? await readText(bytesOf(response.body), mostBytes, { signal })
      : { text: "", isWhole: true };
    if (!response.ok) throw new BatchRefusal(response.status || 502, response.headers, text);
    if (!isWhole) throw new TypeError(`The batch API answered with more than ${mostBytes} bytes.`);
    return text;
  }
}

/** An object that a batch API answered with. */
export function readObject(text: string): JsonObject {
  return asObject(JSON.parse(text));
}

/** @throws TypeError where an object has no id. */
export function idOf(value: JsonObject): string {
  const id = asText(value["id"]);
  if (id === "") throw new TypeError("The batch API answered with an object without an id.");
  return id;
}

/**
 * The outcomes in results of a batch, a line for each.
 * @param texts - Files of lines of JSON.
 * @param read - Reads a line; `undefined` if it is not an outcome.
 */
export function outcomesIn(
  texts: readonly string[],
  read: (line: unknown) => readonly [customId: string, BatchOutcome] | undefined,
): BatchOutcomes {
  const outcomes = new Map<string, BatchOutcome>();
  for (const text of texts)
    for (const line of text.split("\n")) {
      // As an answer by itself is read: arguments of calls may stand as objects.
      const entry = line.trim() === "" ? undefined : read(parseExactJson(line));
      if (entry) outcomes.set(...entry);
    }
  return { outcomes, size: texts.reduce((sum, text) => sum + text.length, 0) };
}

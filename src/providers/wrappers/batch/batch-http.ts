import { bytesOf } from "../../../base/stream/bytes.ts";
import { readText } from "../../../base/stream/sse.ts";
import type { ModelError } from "../../../errors.ts";
import type { JsonObject } from "../../../base/util/json.ts";
import { redirectMode } from "../../../transport/wire/redirect.ts";
import { jsonOrText } from "../../../model/http.ts";
import { providerError } from "../../../model/http-errors.ts";
import { excerptOf, type Redact, redactor } from "../../../model/secrets.ts";
import type { Model } from "../../../model/types.ts";
import type { Fetch } from "../../../model/wire-seam.ts";
import { asObject, asText } from "../../kit/json-values.ts";
import { NotSubmittedError } from "./types.ts";

/** How long one exchange may take, in milliseconds. */
const longestExchange = 300_000;

/** How much of an answer is read, in bytes: the results of a batch are one. */
const mostBytes = 134_217_728;

/** How much of an unreadable answer an error shows, in characters. */
const longestExcerpt = 200;

/** An answer that is not 2xx. */
interface RefusingAnswer {
  /** Where the request went. */
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
  readonly redact: Redact;
}

/** The batch API has refused a request. */
export class BatchRefusal extends Error {
  override readonly name = "BatchRefusal";
  readonly status: number;
  readonly #answer: RefusingAnswer;

  constructor(answer: RefusingAnswer) {
    super(`The batch API answered with ${answer.status}.`);
    this.status = answer.status;
    this.#answer = answer;
  }

  /** As the error of a request that was sent by itself. */
  toError({ provider, modelId }: Pick<Model, "provider" | "modelId">): ModelError {
    const { headers, body, ...answer } = this.#answer;
    return providerError({
      provider,
      modelId,
      ...answer,
      headers: Object.fromEntries(headers),
      body: jsonOrText(body),
    });
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
  readonly #redact: Redact;

  /** @param base - The address that paths are added to. */
  constructor(base: string, headers: Headers, fetch: Fetch) {
    this.#base = base;
    this.#headers = new Headers(headers);
    // Those of a request for a stream of events.
    for (const name of ["accept", "content-type"]) this.#headers.delete(name);
    this.#fetch = fetch;
    this.#redact = redactor(Object.fromEntries(headers), base);
  }

  /** The beginning of an answer for an error, without secrets. */
  excerpt(text: string): string {
    return excerptOf(text, longestExcerpt, this.#redact);
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
    const url = this.#base + path;
    const response = await this.#fetch(url, {
      ...init,
      headers,
      signal,
      redirect: redirectMode(),
    });
    const { text, isWhole } = response.body
      ? await readText(bytesOf(response.body), mostBytes, { signal })
      : { text: "", isWhole: true };
    if (!response.ok) {
      const { status, headers: received } = response;
      const answer = { url, status: status || 502, headers: received, body: text, redact: this.#redact };
      throw new BatchRefusal(answer);
    }
    if (!isWhole) throw new TypeError(`The batch API answered with more than ${mostBytes} bytes.`);
    return text;
  }
}

/**
 * An object that a batch API answered with.
 * @throws TypeError for what is not JSON.
 */
export function readObject(text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The error of JSON.parse shows pieces of the text.
    throw new TypeError("The batch API answered with something that is not JSON.");
  }
  return asObject(value);
}

/** @throws TypeError where an object has no id. */
export function idOf(value: JsonObject): string {
  const id = asText(value["id"]);
  if (id === "") throw new TypeError("The batch API answered with an object without an id.");
  return id;
}

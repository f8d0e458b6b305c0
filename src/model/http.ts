import { MarkCounter } from "../base/util/mark-counter.ts";
import type * as platform from "#transport";
import { isDeeperThan } from "../base/util/is-deeper-than.ts";
import { parseExactJson } from "../base/util/exact-json.ts";
import { defineOwn } from "../base/util/snapshot.ts";
import { ConfigurationError, MalformedResponseError, type ModelError } from "../errors.ts";
import type { ByteSource } from "../base/stream/bytes.ts";
import { SimilarJson } from "../base/stream/similar-json.ts";
import { type EventBatches, EventTooLongError, readEvents, readText } from "../base/stream/sse.ts";
import { postByFetch } from "../transport/wire/fetch.ts";
import type { HttpAgent, WireAnswer } from "../transport/wire/types.ts";
import { addressHint, isHtml, providerError, requestIdOf } from "./http-errors.ts";
import { networkError } from "./network-error.ts";
import { proxyPasswords } from "./proxy-passwords.ts";
import { assertRealModelAllowed } from "./real-models.ts";
import { copyError, excerptOf, type Redact, redactor, remembering } from "./secrets.ts";
import { Watch } from "./watch.ts";
import { postObserved } from "./wire-seam.ts";
import { stringifyBody } from "./wire-text.ts";
import { isThrown } from "../base/util/is-error.ts";

/** The most brackets, commas and colons in an event or an answer: reading more keeps the process busy for seconds. */
const mostMarks = 2_000_000;

/** Shorter ones, in characters, cannot have more, or cost little. */
const longestUncounted = 1_000_000;

/** One request to a provider. */
export interface PostOptions {
  readonly provider: string;
  readonly modelId: string;
  readonly url: string;
  /** Include the key; `content-type` and `accept` are set by default. `undefined` omits a header. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Sent as JSON. */
  readonly body: object;
  /** Sends the request instead of the platform's transport. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Makes the connections, on Node. */
  readonly agent?: HttpAgent | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds to wait for the next piece of the answer; 300,000 by default. */
  readonly timeout?: number | undefined;
}

interface AnswerBase {
  /** The response's headers, names in lower case, cookies left out. */
  readonly headers: Readonly<Record<string, string>>;
  /** Takes the exchange's secrets out of a text. */
  readonly redact: Redact;
  /** Makes the typed error of a failure that the provider reports within its answer: `{ error: {...} }` and the like. */
  readonly failure: (body: unknown) => ModelError;
  /** Makes the error of an unreadable answer: "provider:model" and `what`. Not retryable by default. */
  readonly malformed: (what: string, options?: MalformedOptions) => MalformedResponseError;
  /** Parses the data of its events, one after another. */
  readonly json?: SimilarJson;
}

interface MalformedOptions {
  /** What cannot be read. Its beginning is shown, without secrets. */
  readonly received?: string | undefined;
  readonly cause?: unknown;
  readonly isRetryable?: boolean | undefined;
}

/** An answer that streams. */
export interface EventsAnswer extends AnswerBase {
  readonly kind: "events";
  /** The events, one array for each piece of the network. Read it to its end, or `return` it. */
  readonly events: EventBatches;
  /**
   * Call it after the provider's last event. The end of the stream, which frees the connection for the next request, is
   * then awaited for a second at most.
   */
  readonly ending: () => void;
  /** Call it when something of the answer has come: only that restarts the wait for the next piece. */
  readonly progress: () => void;
}

/** An answer that came whole, from a server that does not stream. */
export interface JsonAnswer extends AnswerBase {
  readonly kind: "json";
  readonly value: unknown;
}

/** What a provider answered with a 2xx status. */
export type PostAnswer = EventsAnswer | JsonAnswer;

/** A validated address with its headers. */
interface Destination {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Removes the headers' secrets from an error. */
  readonly redact: Redact;
  /** The same for the headers of an answer. */
  readonly redactHeader: Redact;
}

interface Exchange extends Omit<PostOptions, "headers">, Destination {
  readonly watch: Watch;
}

/** How much of an error's body is read, in bytes. */
const maxErrorBody = 64 * 1024;

/** How much of an answer without streaming is read, in bytes. */
const maxJsonBody = 64 * 1024 * 1024;

/**
 * Posts `body` as JSON and returns the answer as server-sent events, or as JSON if the server does not stream.
 * It neither retries nor follows redirects, and its errors contain no key.
 * @throws ModelError of the class that fits the failure; the signal's reason, at once, when it is aborted;
 * ConfigurationError if `url` or a header cannot be sent, or if real models are blocked.
 */
export async function postForEvents(options: PostOptions): Promise<PostAnswer> {
  const { provider, modelId, url, signal, timeout = 300_000 } = options;
  signal?.throwIfAborted();
  const { headers, redact, redactHeader } = destinationOf(options);
  assertRealModelAllowed(provider, modelId, url, options.fetch);
  const watch = new Watch(signal, timeout, options);
  const exchange: Exchange = { ...options, headers, redact, redactHeader, watch };
  watch.begin();
  let answer: PostAnswer | undefined;
  try {
    const response = await send(exchange);
    watch.restart();
    answer = await readAnswer(exchange, response);
    return answer;
  } finally {
    if (answer?.kind === "events") watch.pause();
    else watch.end();
  }
}

/**
 * Reads the data of one event, or a whole answer, as JSON.
 * @param parse - `parseExactJson` where arguments of calls may stand as objects. Parts of what comes of events may be frozen.
 */
export function parseJson(
  text: string,
  answer: Pick<AnswerBase, "malformed" | "json">,
  parse?: (text: string) => unknown,
): unknown {
  if (text.length > longestUncounted && hasTooManyValues(text))
    throw answer.malformed(`sent JSON of more than ${mostMarks} values.`);
  try {
    return parse ? parse(text) : answer.json ? answer.json.parse(text) : JSON.parse(text);
  } catch {
    // The error of JSON.parse shows pieces of the text, half a key among them.
    throw answer.malformed("sent something that is not JSON:", { received: text });
  }
}

function hasTooManyValues(text: string): boolean {
  const marks = new MarkCounter();
  marks.addText(text);
  return marks.count > mostMarks;
}

/** Loaded with the first request. */
let transport: typeof platform | undefined;

/**
 * Connects to the server of a model.
 * @returns Whether it answered. `false` at once where a `fetch` sends the requests.
 * @throws ConfigurationError if real models are blocked.
 */
export async function warmUp({
  provider,
  modelId,
  url,
  fetch,
  agent,
}: Pick<PostOptions, "provider" | "modelId" | "url" | "fetch" | "agent">): Promise<boolean> {
  assertRealModelAllowed(provider, modelId, url, fetch);
  if (fetch) return false;
  transport ??= await import("#transport");
  return transport.warm(url, agent);
}

async function send(exchange: Exchange): Promise<WireAnswer> {
  const { url, headers, watch, fetch, agent } = exchange;
  const { signal } = watch;
  const request = { url, headers, body: stringifyBody(exchange.body), signal };
  try {
    const answer = await postObserved(request, async () =>
      fetch
        ? // A custom one may not obey the signal.
          await watch.race(postByFetch(fetch, request), (late) => late?.body?.cancel())
        : await (transport ??= await import("#transport")).post(request, agent),
    );
    if (answer) return answer;
  } catch (error) {
    signal.throwIfAborted();
    throw networkError(exchange, "no connection to", error);
  }
  const { provider, modelId } = exchange;
  throw new ConfigurationError(`The fetch of ${provider}:${modelId} must return a Response.`, {
    code: "invalid-fetch",
    data: { provider, modelId },
  });
}

async function readAnswer(exchange: Exchange, response: WireAnswer): Promise<PostAnswer> {
  const { provider, modelId, url, redact } = exchange;
  const { status } = response;
  if (response.isRedirect) {
    response.body?.cancel();
    throw networkError(exchange, "no answer from", new Error("unexpected redirect"));
  }
  const headers: Record<string, string> = {};
  for (const [name, value] of response.headers) {
    if (name !== "set-cookie") defineOwn(headers, name, exchange.redactHeader(value));
  }
  if (status < 200 || status > 299) {
    const text = await readErrorBody(exchange, response);
    throw providerError({ provider, modelId, url, status, headers, body: jsonOrText(text), redact });
  }
  const base = answerBase(exchange, status, headers);
  const type = headers["content-type"]?.toLowerCase() ?? "";
  if (response.body && (type === "" || type.includes("text/event-stream"))) {
    const { watch } = exchange;
    const events = eventsOf(exchange, base, response.body);
    return {
      ...base,
      kind: "events",
      json: new SimilarJson(),
      events,
      ending: () => watch.expectEnd(1000),
      progress: watch.restart,
    };
  }
  const isJson = type.includes("json");
  // Only JSON is an answer; blanks before it, which keep a connection open, are nothing of it.
  const onChunk = (piece: string): void => void (piece.trim() !== "" && exchange.watch.restart());
  const reading = isJson ? { limit: maxJsonBody, onChunk } : { limit: maxErrorBody };
  const { text, isWhole } = await readBody(exchange, response, reading);
  if (text.trim() === "") throw base.malformed("answered with an empty body.", { isRetryable: true });
  if (!isJson) {
    const received = isHtml(text) ? "an HTML page" : `the content type "${type}"`;
    throw base.malformed(`answered with ${received} where events were expected. ${addressHint(url)}`, {
      received: text,
    });
  }
  if (!isWhole) throw base.malformed(`answered with more than ${maxJsonBody} bytes of JSON.`);
  return { ...base, kind: "json", value: parseJson(text, base, parseExactJson) };
}

function answerBase(exchange: Exchange, status: number, headers: AnswerBase["headers"]): AnswerBase {
  const { provider, modelId, redact } = exchange;
  const requestId = requestIdOf(headers, redact);
  return {
    headers,
    redact,
    failure: (body) => providerError({ provider, modelId, headers, body, redact }),
    malformed: (what, { received, cause, isRetryable } = {}) =>
      new MalformedResponseError(`${provider}:${modelId} ${redact(what)}${excerpt(received, redact)}`, {
        provider,
        modelId,
        status,
        requestId,
        cause: copyError(cause, redact),
        isRetryable,
      }),
  };
}

/** The events of a body, with a watch on the time between pieces and with typed errors. */
function eventsOf(exchange: Exchange, base: AnswerBase, body: ByteSource): EventBatches {
  const { watch } = exchange;
  return readEvents(body, {
    signal: watch.signal,
    onWait: watch.begin,
    onEvents: () => watch.pause(),
    onEnd: () => watch.end(),
    onError: (error) => {
      exchange.signal?.throwIfAborted();
      // The answer is complete: how the connection ends does not matter.
      if (watch.isEnding) return;
      watch.signal.throwIfAborted();
      if (isThrown(error, EventTooLongError)) throw base.malformed(`sent too much: ${error.message}.`);
      throw networkError(exchange, "the connection broke to", error);
    },
  });
}

/** How long the body of an error is waited for, in milliseconds: its status says what to do. */
const longestErrorWait = 10_000;

/** What there is of an error's body; empty if it breaks off, does not come, or cannot be decompressed. */
async function readErrorBody(exchange: Exchange, response: WireAnswer): Promise<string> {
  const { watch, timeout = longestErrorWait } = exchange;
  watch.expectEnd(Math.min(timeout, longestErrorWait));
  watch.begin();
  try {
    return (await readBody(exchange, response, { limit: maxErrorBody })).text;
  } catch {
    exchange.signal?.throwIfAborted();
    return "";
  }
}

interface BodyReading {
  readonly limit: number;
  readonly onChunk?: (piece: string) => void;
}

async function readBody(
  exchange: Exchange,
  response: WireAnswer,
  { limit, onChunk }: BodyReading,
): ReturnType<typeof readText> {
  const { watch } = exchange;
  if (!response.body) return { text: "", isWhole: true };
  try {
    return await readText(response.body, limit, { signal: watch.signal, onChunk });
  } catch (error) {
    watch.signal.throwIfAborted();
    throw networkError(exchange, "the connection broke to", error);
  }
}

function presentHeaders(headers: PostOptions["headers"]): Record<string, string> {
  const lowered = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return Object.fromEntries(lowered.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** Cached by the adapter's headers object: most adapters pass the same object with every request. */
const destinations = new WeakMap<PostOptions["headers"], Destination>();

/**
 * Checks an address and its headers.
 * @throws ConfigurationError if one of them cannot be sent.
 */
export function destinationOf(
  options: Pick<PostOptions, "provider" | "modelId" | "url" | "headers">,
): Destination {
  const cached = destinations.get(options.headers);
  if (cached?.url === options.url) return cached;
  const headers = presentHeaders({
    "content-type": "application/json",
    accept: "text/event-stream",
    ...options.headers,
  });
  const redact = redactor({ ...headers, ...proxyPasswords() }, options.url);
  checkSendable(options, headers, redact);
  const redactHeader = remembering(redact);
  const destination: Destination = { url: options.url, headers, redact, redactHeader };
  destinations.set(options.headers, destination);
  return destination;
}

/** Checked here, since `fetch` would show the offending value, which may be a key. */
function checkSendable(
  { provider, modelId, url }: Pick<PostOptions, "provider" | "modelId" | "url">,
  headers: Record<string, string>,
  redact: Redact,
): void {
  const data = { provider, modelId };
  if (!URL.canParse(url)) {
    throw new ConfigurationError(`"${redact(url)}" is not a URL. Check the baseURL.`, {
      code: "invalid-base-url",
      data,
    });
  }
  for (const [name, value] of Object.entries(headers)) {
    if (/^[\t\x20-\x7e\x80-\xff]*$/.test(value) && /^[!#$%&'*+.^_`|~\w-]+$/.test(name)) continue;
    throw new ConfigurationError(
      `The header "${redact(name)}" for ${provider}:${modelId} contains characters that HTTP does not allow, ` +
        "such as a line break at the end of a key.",
      { code: "invalid-header", data },
    );
  }
}

/** How deep an error's body may be nested: what reads it goes down to its ends. */
const deepestError = 100;

/** The value of a text that may be JSON, else the text. */
export function jsonOrText(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isDeeperThan(value, deepestError) ? text : value;
  } catch {
    return text;
  }
}

function excerpt(text: string | undefined, redact: Redact): string {
  return text === undefined ? "" : ` ${excerptOf(text, 200, redact)}`;
}

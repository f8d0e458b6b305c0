import { ConfigurationError, SkeinError } from "../../errors.ts";
import { assertBaseURL } from "../../model/base-url.ts";
import { retryAfterOf } from "../../model/http-errors.ts";
import { copyError, type Redact, redactor } from "../../model/secrets.ts";
import { bytesOf } from "../../base/stream/bytes.ts";
import { readText } from "../../base/stream/sse.ts";
import { errorMessage } from "../../base/util/error-message.ts";
import { isPlainObject } from "../../base/util/json.ts";
import type { ToolAnnotations } from "../../tool/types.ts";

/** How any of the services is reached. */
export interface ServiceOptions {
  /** Another address, of a mirror or a test: without the path that the service's own documentation names. */
  readonly baseURL?: string | undefined;
  /** `globalThis.fetch` by default. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Milliseconds that a call may take, further attempts included; 30,000 by default. */
  readonly timeout?: number | undefined;
}

/** Names the options that every service has, for the check that there are no others. */
export const serviceOptions: Readonly<Record<keyof ServiceOptions, true>> = {
  baseURL: true,
  fetch: true,
  timeout: true,
};

/** What holds of a tool that reads what a service has. */
export const serviceHints: ToolAnnotations = { readOnlyHint: true, openWorldHint: true };

/** What holds of a tool that searches a service. */
export const searchHints: ToolAnnotations = { ...serviceHints, tags: ["search"] };

/** What is known of an answer that could not be used. */
export interface ServiceErrorOptions {
  /** The HTTP status, if there was an answer. */
  readonly status?: number | undefined;
  /** How long the service asks to wait, in milliseconds. */
  readonly retryAfter?: number | undefined;
  /** Whether the same request may succeed later. */
  readonly isTransient?: boolean;
  readonly cause?: unknown;
}

/** A service refused a request, could not be reached or sent what cannot be read. The model sees the message. */
export class ServiceError extends SkeinError {
  static override readonly name: string = "ServiceError";

  /** Such as `"arXiv"`. */
  readonly service: string;
  readonly status: number | undefined;
  /** How long the service asks to wait, in milliseconds. */
  readonly retryAfter: number | undefined;
  /** Whether the same request may succeed later. */
  readonly isTransient: boolean;

  constructor(service: string, what: string, options: ServiceErrorOptions = {}) {
    const { status, retryAfter, isTransient = false, cause } = options;
    super(`${service} ${what}`, { code: "service", data: { service, status, retryAfter }, cause });
    this.service = service;
    this.status = status;
    this.retryAfter = retryAfter;
    this.isTransient = isTransient;
  }
}

/** One request to a service. */
export interface ServiceRequest {
  /** How the service is called in errors. */
  readonly service: string;
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, with POST. */
  readonly body?: unknown;
  readonly fetch: typeof globalThis.fetch | undefined;
  readonly signal: AbortSignal;
  /** The service's own words in the body of a refusal, where it is not JSON that says `error`, `message` or `detail`. */
  readonly words?: (body: string) => string | undefined;
  /** What to do about a status, one sentence. */
  readonly advice?: Readonly<Record<number, string>>;
}

/** The most bytes of an answer that are read. */
const longestAnswer = 4 * 1024 * 1024;

/** The most characters of a service's own message that are passed on. */
const longestWords = 300;

/** Statuses that may be another one a moment later. */
const transientStatuses: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

/**
 * Asks a service and gives the text that it answers.
 * @throws ServiceError for a refusal, an answer over 4 MB or none at all; the signal's reason when it is aborted.
 */
export async function ask(request: ServiceRequest): Promise<string> {
  const { service, url, signal, fetch = globalThis.fetch } = request;
  const body = request.body === undefined ? undefined : JSON.stringify(request.body);
  const headers = headersOf(request);
  const redact = redactor(headers);
  signal.throwIfAborted();
  try {
    const how = body === undefined ? {} : { method: "POST", body };
    const response = await send(fetch, url, { ...how, headers, signal });
    const { text, isWhole } = response.body
      ? await readText(bytesOf(response.body), longestAnswer, { signal })
      : { text: "", isWhole: true };
    if (!response.ok) throw refusal(request, response, text, redact);
    if (!isWhole) throw new ServiceError(service, `answered with more than ${longestAnswer} bytes.`);
    return text;
  } catch (error) {
    if (error instanceof SkeinError) throw error;
    signal.throwIfAborted();
    const cause = copyError(error, redact);
    const words = redact(errorMessage(error instanceof Error && error.cause ? error.cause : error));
    throw new ServiceError(service, `could not be reached at ${url.host}: ${words}.`, {
      isTransient: true,
      cause,
    });
  }
}

/** The most redirects that are followed. */
const mostRedirects = 5;

/** Sends a request. The service may move what is read, but not to another host: what it names may be in the program's own network. */
async function send(
  fetch: typeof globalThis.fetch,
  url: URL,
  init: Omit<RequestInit, "redirect">,
): Promise<Response> {
  let target = url;
  for (let hops = 0; ; hops++) {
    const response = await fetch(target.href, { ...init, redirect: "manual" });
    const next = hops < mostRedirects ? movedTo(response, target) : undefined;
    if (!next || init.method === "POST") return response;
    await response.body?.cancel();
    target = next;
  }
}

/** Where a redirect leads on the same host, over TLS where the request was; `undefined` for anything else. */
function movedTo({ status, headers }: Response, from: URL): URL | undefined {
  const location = status >= 300 && status < 400 ? headers.get("location") : null;
  if (location === null || !URL.canParse(location, from)) return undefined;
  const to = new URL(location, from);
  const isSame = to.origin === from.origin;
  return isSame || (to.protocol === "https:" && to.hostname === from.hostname && to.port === "")
    ? to
    : undefined;
}

function headersOf({ body, headers }: ServiceRequest): Readonly<Record<string, string>> {
  return { ...(body !== undefined && { "content-type": "application/json" }), ...headers };
}

function refusal(request: ServiceRequest, response: Response, body: string, redact: Redact): ServiceError {
  const { service, words = jsonWords, advice = {} } = request;
  const { status, headers } = response;
  const isTransient = transientStatuses.has(status);
  const retryAfter = retryAfterOf({ "retry-after": headers.get("retry-after") ?? "" });
  const detail = clip(redact(words(body) ?? ""), longestWords).replace(/[\s.]+$/, "");
  const wait = retryAfter === undefined ? "" : `It asks to wait ${Math.ceil(retryAfter / 1000)} s.`;
  const hint = advice[status] ?? wait;
  const what = `refused the request (${status})${detail && `: ${detail}`}.${hint && ` ${hint}`}`;
  return new ServiceError(service, what, { status, retryAfter, isTransient });
}

/** What a JSON error says, in the forms that most services share. */
function jsonWords(body: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return /^\s*</.test(body) ? undefined : body;
  }
  for (let depth = 0; isPlainObject(value) && depth < 3; depth++) {
    value = value["error"] ?? value["detail"] ?? value["message"] ?? value["title"];
  }
  return typeof value === "string" ? value : undefined;
}

/**
 * Asks a service that answers with a JSON object.
 * @throws ServiceError as `ask` does, and for any other answer.
 */
export async function askForObject(request: ServiceRequest): Promise<Readonly<Record<string, unknown>>> {
  const text = await ask(request);
  const { service } = request;
  const redact = redactor(headersOf(request));
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const cause = copyError(error, redact);
    throw new ServiceError(service, `answered with something that is not JSON: ${clip(redact(text), 100)}`, {
      cause,
    });
  }
  if (isPlainObject(value)) return value;
  throw new ServiceError(service, `answered with JSON of another form: ${clip(redact(text), 100)}`);
}

/** The objects among the first `limit` members of a list; none for anything else. */
export function objectsIn(value: unknown, limit: number): Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.slice(0, limit).filter(isPlainObject) : [];
}

/** A text of at most `limit` characters, its white space as single blanks; `undefined` for anything else or nothing. */
export function words(value: unknown, limit: number): string | undefined {
  if (typeof value !== "string") return undefined;
  return (
    clip(
      value
        .slice(0, limit * 4)
        .replace(/\s+/g, " ")
        .trim(),
      limit,
    ) || undefined
  );
}

function clip(text: string, limit: number): string {
  // A character that the cut would part goes whole.
  return text.length > limit ? `${text.slice(0, limit).replace(/[\ud800-\udbff]$/, "")}…` : text;
}

/**
 * An address below the one that options name.
 * @throws ConfigurationError for an address that requests cannot be sent to.
 */
export function addressOf(baseURL: string, path: string, query: Readonly<Record<string, string>> = {}): URL {
  assertBaseURL(baseURL, "baseURL");
  const url = new URL(`${baseURL.replace(/\/+$/, "")}${path}`);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}

/**
 * The key of a service: what the options give, else an environment variable.
 * @throws ConfigurationError (`missing-variable`) naming the variable and where to get a key.
 */
export function keyOf(option: string | undefined, variable: string, hint: string): string {
  const key = option ?? globalThis.process?.env[variable];
  if (key) return key;
  throw new ConfigurationError(`${variable} is not set: ${hint}`, {
    code: "missing-variable",
    data: { variable },
  });
}

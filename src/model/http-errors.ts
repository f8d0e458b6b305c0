import {
  AuthenticationError,
  ContentFilterError,
  ContextLengthError,
  InvalidRequestError,
  type ModelError,
  type ModelErrorOptions,
  ModelTimeoutError,
  OverloadedError,
  RateLimitError,
} from "../errors.ts";
import { isPlainObject } from "../base/util/json.ts";
import { redactKeys } from "../base/util/redact-keys.ts";
import { type Redact, shownAddress } from "./secrets.ts";

/** What a provider says of a failure, in an error body or within a stream. */
export interface ProviderFailure {
  readonly provider: string;
  readonly modelId: string;
  /** Where the request went; shown, without its query, where the address seems to be wrong. */
  readonly url?: string | undefined;
  /** The HTTP status; leave it out for an error within a stream that began with 200. */
  readonly status?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The parsed error body, an error object of a stream, or plain text. */
  readonly body: unknown;
  readonly redact: Redact;
}

type ErrorClass = new (message: string, options: ModelErrorOptions) => ModelError;

interface Kind {
  readonly make: ErrorClass;
  readonly what: string;
  /** The next step, where the provider's own words do not name it. */
  readonly fix?: string;
  readonly isRetryable?: boolean;
}

const kinds = {
  authentication: {
    make: AuthenticationError,
    what: "did not accept the key",
    fix: "Check the key, and that it may use this model.",
  },
  quota: { make: RateLimitError, what: "says that the account's quota is spent", isRetryable: false },
  rateLimit: { make: RateLimitError, what: "had too many requests or tokens" },
  contextLength: {
    make: ContextLengthError,
    what: "was sent more than the model's context holds",
    fix: "Shorten the history, the instructions or the tool results.",
  },
  contentFilter: { make: ContentFilterError, what: "refused the request for its content" },
  overloaded: { make: OverloadedError, what: "is overloaded or failing" },
  timeout: { make: ModelTimeoutError, what: "took too long" },
  toolUse: { make: InvalidRequestError, what: "could not read the model's tool call", isRetryable: true },
  invalidRequest: { make: InvalidRequestError, what: "refused the request" },
} as const satisfies Record<string, Kind>;

type KindName = keyof typeof kinds;

/** The words that providers put in `code` or `type`, in the order in which they are looked for. */
const kindsByCode: readonly (readonly [RegExp, KindName])[] = [
  [/context_length|context_size|max_prompt_tokens|request_too_large/, "contextLength"],
  [/content_filter|content_policy|responsibleaipolicy|moderation|safety/, "contentFilter"],
  [/insufficient_quota|billing|insufficient_(?:credits|balance)/, "quota"],
  [/tool_use_failed/, "toolUse"],
  [/invalid_api_key|authentication|permission|unauthenticated|unauthorized/, "authentication"],
  [/rate_?limit|too_many_requests|resource_exhausted|tokens_exceeded/, "rateLimit"],
  [/timeout|deadline_exceeded/, "timeout"],
  [/overloaded|unavailable|server_error|api_error|internal/, "overloaded"],
  [/invalid|not_found|unsupported/, "invalidRequest"],
];

/** What only the message reveals, since the code is a general one. */
const kindsByMessage: readonly (readonly [RegExp, KindName])[] = [
  [
    /context (?:length|window|size)|prompt is too long|input is too long|too many input tokens/i,
    "contextLength",
  ],
  [/reduce the length of (?:the|your) (?:messages|prompt|input)/i, "contextLength"],
  [/request too large|`max_new_tokens` must be|input token count .*exceeds/i, "contextLength"],
  [/content (?:management |filtering )?policy|content filter|was flagged|usage policy/i, "contentFilter"],
  [
    /credit balance|exceeded your (?:current quota|monthly)|insufficient balance|used all available credits/i,
    "quota",
  ],
  [/(?:incorrect|invalid) api key|api key (?:not valid|expired)/i, "authentication"],
];

/** Makes the typed error of a failure. Classes go by the provider's code, then its message, then the status. */
export function providerError(failure: ProviderFailure): ModelError {
  const { provider, modelId, headers = {}, redact } = failure;
  const description = describeBody(failure.body);
  const status = failure.status ?? description.status;
  const providerMessage = description.message && redact(description.message).slice(0, 2000);
  const providerCode = description.code && redact(description.code);
  const kind: Kind = kinds[classify(status, description)];
  const shouldRetry = headers["x-should-retry"];
  const detail = [status, providerCode].filter((word) => word !== undefined).join(", ");
  const message = [
    `${provider}:${modelId} ${kind.what}${detail && ` (${detail})`}`,
    providerMessage && `: ${providerMessage}`,
    providerMessage && /[.!?]$/.test(providerMessage) ? "" : ".",
    kind.fix ? ` ${kind.fix}` : "",
    kind.make === InvalidRequestError && refusesCache(description) ? ` ${cacheHint}` : "",
    failure.url !== undefined && isWrongAddress(failure.status, description)
      ? ` ${addressHint(failure.url)}`
      : "",
  ].join("");
  return new kind.make(message, {
    provider,
    modelId,
    status,
    providerMessage,
    providerCode,
    requestId: requestIdOf(headers, redact),
    retryAfter: retryAfterOf(headers) ?? description.retryAfter,
    isRetryable: shouldRetry === "true" ? true : shouldRetry === "false" ? false : kind.isRetryable,
  });
}

/** What to check where a server does not know the requested path. `url` is shown without its query and without keys in its path. */
export function addressHint(url: string): string {
  return (
    `The request went to ${shownAddress(url)}: check the baseURL. OpenAI's and its like end in /v1, ` +
    "Anthropic's does not, Google's is https://generativelanguage.googleapis.com."
  );
}

const cacheHint = "For a server without prompt caching, set settings: { cache: false }.";

/** Whether a server refuses a field that `settings.cache` sends. */
function refusesCache({ message = "" }: Description): boolean {
  return /\b(?:cache_control|prompt_cache_\w+)/.test(message);
}

/** Whether a server seems to lack the path, not the model, which it would name. */
function isWrongAddress(status: number | undefined, { message = "" }: Description): boolean {
  return (status === 404 || status === 405) && !/model/i.test(message);
}

/** The provider's own id of the request, for its support to find it, without the secrets that a server may echo in it. */
export function requestIdOf(
  headers: Readonly<Record<string, string>>,
  redact: Redact = redactKeys,
): string | undefined {
  const id = headers["x-request-id"] ?? headers["request-id"];
  return id === undefined ? undefined : redact(id).slice(0, 200);
}

/** How long the provider asks to wait, in milliseconds: `retry-after-ms`, or `retry-after` in seconds or as a date. */
export function retryAfterOf(headers: Readonly<Record<string, string>>): number | undefined {
  const milliseconds = nonNegative(headers["retry-after-ms"]);
  if (milliseconds !== undefined) return milliseconds;
  const retryAfter = headers["retry-after"];
  if (retryAfter === undefined) return undefined;
  const seconds = nonNegative(retryAfter);
  if (seconds !== undefined) return seconds * 1000;
  // A runtime reads any number as some date.
  const date = /\d:\d\d/.test(retryAfter) ? Date.parse(retryAfter) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

function nonNegative(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}

function classify(status: number | undefined, description: Description): KindName {
  // A code of the provider's own says more than a status; but 401 and 403 with a vague code are about the key.
  const code = description.code?.toLowerCase() ?? "";
  const byCode = kindsByCode.find(([pattern]) =>
    pattern.test(`${code} ${description.type?.toLowerCase() ?? ""}`),
  )?.[1];
  const isVague = byCode === undefined || byCode === "invalidRequest" || byCode === "overloaded";
  const byMessage = kindsByMessage.find(([pattern]) => pattern.test(description.message ?? ""))?.[1];
  // Some limits will be the same next time; one that says when to come back will not.
  if (byCode === "rateLimit" && byMessage && description.retryAfter === undefined) return byMessage;
  if (!isVague) return byCode;
  if (byMessage && status !== 401 && status !== 404) return byMessage;
  return status === undefined ? (byCode ?? "overloaded") : kindOfStatus(status);
}

function kindOfStatus(status: number): KindName {
  if (status === 401 || status === 403) return "authentication";
  if (status === 402) return "quota";
  if (status === 408) return "timeout";
  // 498 is Groq's for a tier without capacity.
  if (status === 409 || status === 425 || status === 498) return "overloaded";
  if (status === 413) return "contextLength";
  if (status === 429) return "rateLimit";
  return status >= 500 ? "overloaded" : "invalidRequest";
}

interface Description {
  readonly message: string | undefined;
  /** The most specific word: the code, else the type. */
  readonly code: string | undefined;
  readonly type: string | undefined;
  /** A status that stands in the body, as gateways put it there. */
  readonly status: number | undefined;
  /** Milliseconds after which the request may succeed, where the body says so. */
  readonly retryAfter?: number | undefined;
}

/** Reads `{ error: { message, type, code } }` and its variants: `{ error: "..." }`, `{ message }`, `{ detail }`, text. */
function describeBody(body: unknown): Description {
  if (Array.isArray(body)) return describeBody(body[0]);
  if (!isPlainObject(body)) return describeText(typeof body === "string" ? body : "");
  const inner = body["error"];
  if (typeof inner === "string") return { ...describeBody({ ...body, error: undefined }), message: inner };
  const error = isPlainObject(inner) ? inner : body;
  const codes = [error["code"], error["type"], error["status"]].filter((code) => typeof code === "string");
  const number = [error["code"], error["status"]].find((code) => typeof code === "number");
  const metadata = error["metadata"];
  const upstream =
    isPlainObject(metadata) && typeof metadata["raw"] === "string" ? ` ${metadata["raw"]}` : "";
  const message = wordsOf(error["message"] ?? error["detail"] ?? body["message"] ?? body["detail"]);
  return {
    message: message === undefined ? undefined : message + upstream,
    code: codes.find((code) => code !== "error"),
    type: typeof error["type"] === "string" ? error["type"] : undefined,
    status: number !== undefined && number >= 400 && number < 600 ? number : undefined,
    retryAfter: retryDelayIn(error["details"]),
  };
}

/**
 * The wait that the details of a `google.rpc.Status` ask for (https://google.aip.dev/193); none where a quota of the day is spent,
 * whose wait is too short.
 */
function retryDelayIn(details: unknown): number | undefined {
  if (!Array.isArray(details) || /"quotaId":"[^"]*PerDay/.test(JSON.stringify(details))) return undefined;
  const delays = details.flatMap((detail) =>
    isPlainObject(detail) && typeof detail["retryDelay"] === "string" ? [detail["retryDelay"]] : [],
  );
  const seconds = /^(\d+(?:\.\d+)?)s$/.exec(delays[0] ?? "")?.[1];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}

function wordsOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return value === null ? undefined : JSON.stringify(value);
}

function describeText(text: string): Description {
  const title = /<title[^<>]*>([^<]*)<\/title>/i.exec(text)?.[1];
  const message = isHtml(text) ? `an HTML page${title ? `, "${title.trim()}"` : ""}` : text.trim();
  return { message: message || undefined, code: undefined, type: undefined, status: undefined };
}

/** Whether a text is a page for people, such as a proxy or a wrong address answers. */
export function isHtml(text: string): boolean {
  return /^\s*(?:<!doctype html|<html)/i.test(text);
}

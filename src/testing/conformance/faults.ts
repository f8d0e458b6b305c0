import { ModelError } from "../../errors.ts";
import { errorMessage } from "../../base/util/error-message.ts";

/** A way in which a provider, or what stands between, answers badly. */
export interface Fault {
  readonly name: string;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** `echo` is a secret of the request, as careless servers echo it. */
  readonly body: (echo: string) => string;
  /** What is wrong with the error that came of it. */
  readonly expect?: (error: ModelError) => Iterable<string>;
}

const json = { "content-type": "application/json" };
const html = { "content-type": "text/html; charset=utf-8" };
const events = { "content-type": "text/event-stream" };

/** What every model has to make a typed error of. */
export const faults: readonly Fault[] = [
  {
    name: "429 with Retry-After",
    status: 429,
    headers: { ...json, "retry-after": "2" },
    body: () => errorBody("Too many requests.", "rate_limit_error"),
    *expect({ isRetryable, retryAfter }) {
      if (!isRetryable) yield "it is not retryable";
      if (retryAfter !== 2000) yield `its retryAfter is ${retryAfter}, not 2000`;
    },
  },
  {
    name: "500",
    status: 500,
    headers: json,
    body: () => errorBody("Something broke.", "server_error"),
    expect: retryable,
  },
  {
    name: "503 with an HTML page",
    status: 503,
    headers: html,
    body: (echo) => `<!DOCTYPE html><html><title>Unavailable</title>${echo}</html>`,
    expect: retryable,
  },
  {
    name: "401 that shows the key",
    status: 401,
    headers: json,
    body: (echo) => errorBody(`Incorrect API key provided: ${echo}.`, "authentication_error"),
    *expect({ isRetryable }) {
      if (isRetryable) yield "it is retryable";
    },
  },
  {
    name: "400 that shows the headers",
    status: 400,
    headers: json,
    body: (echo) => errorBody(`Bad request with authorization: Bearer ${echo}`, "invalid_request_error"),
  },
  {
    name: "200 with an HTML page",
    status: 200,
    headers: html,
    body: (echo) => `<html><p>Log in ${echo}</html>`,
  },
  { name: "200 with an empty body", status: 200, headers: json, body: () => "" },
  { name: "200 with an empty stream", status: 200, headers: events, body: () => "" },
  { name: "200 with JSON that is cut", status: 200, headers: json, body: (echo) => `{"id":"${echo}","choi` },
  {
    name: "a stream of something other than JSON",
    status: 200,
    headers: events,
    body: (echo) => `data: {"id":"${echo}\n\n`,
  },
  {
    name: "a stream of comments only",
    status: 200,
    headers: events,
    body: () => ": keep-alive\n\n: keep-alive\n\n",
  },
];

/** What is wrong with anything that a model throws. */
export function* errorProblems(
  error: unknown,
  secrets: readonly string[],
): Iterable<readonly [string, string]> {
  if (!(error instanceof ModelError))
    yield [
      "chaos",
      `it throws ${error instanceof Error ? error.name : typeof error}, which is not a ModelError`,
    ];
  const words = tellAll(error);
  if (secrets.some((secret) => words.includes(secret)))
    yield ["secrets", "the error contains a secret of the request"];
}

/** All that is to be read of an error and its causes. */
function tellAll(error: unknown): string {
  const texts: string[] = [];
  for (let link = error, depth = 0; link !== undefined && depth < 8; depth++) {
    texts.push(errorMessage(link), safeJson(link));
    if (!(link instanceof Error)) break;
    texts.push(link.stack ?? "");
    link = link.cause;
  }
  return texts.join("\n");
}

function safeJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return "";
  }
}

function* retryable({ isRetryable }: ModelError): Iterable<string> {
  if (!isRetryable) yield "it is not retryable";
}

function errorBody(message: string, type: string): string {
  return JSON.stringify({ type: "error", error: { message, type } });
}

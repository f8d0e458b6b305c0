import {
  AuthenticationError,
  ContentFilterError,
  ContextLengthError,
  InvalidRequestError,
  MalformedResponseError,
  ModelError,
  type ModelErrorOptions,
  ModelTimeoutError,
  NetworkError,
  OverloadedError,
  RateLimitError,
  UnsupportedPartError,
} from "../../errors.ts";
import { areRetriesOver, endRetries } from "../../model/stream-model.ts";
import { errorMessage } from "../../base/util/error-message.ts";
import { isPlainObject } from "../../base/util/json.ts";
import type { RecordedError, WireExchange } from "./format.ts";
import type { Redaction } from "./secrets.ts";

type ModelErrorClass = new (message: string, options: ModelErrorOptions) => ModelError;

const classes = new Map<string, ModelErrorClass>(
  Object.entries({
    AuthenticationError,
    ContentFilterError,
    ContextLengthError,
    InvalidRequestError,
    MalformedResponseError,
    ModelTimeoutError,
    NetworkError,
    OverloadedError,
    RateLimitError,
    UnsupportedPartError,
  }),
);

/** What is written down of an error that a model threw. */
export function recordError(error: unknown, redact: Redaction): RecordedError {
  const name = error instanceof Error ? error.name : "Error";
  const message = redact.text(errorMessage(error));
  if (!(error instanceof ModelError)) return { name, message };
  const { provider, modelId, status, providerMessage, providerCode, requestId, retryAfter, isRetryable } =
    error;
  const details = redact.json({
    provider,
    modelId,
    status,
    providerMessage,
    providerCode,
    requestId,
    retryAfter,
    isRetryable,
  });
  const isFinal = areRetriesOver(error);
  return { name, message, ...(isPlainObject(details) && { details }), ...(isFinal && { isFinal }) };
}

/** The error again: of the class that it was of, if that is one of Skein's. */
export function replayError({ name, message, details, isFinal }: RecordedError): Error {
  if (!details) {
    const error = new Error(message);
    error.name = name;
    return error;
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by recordError
  const options = details as unknown as ModelErrorOptions;
  const errorClass = classes.get(name);
  const error = errorClass
    ? new errorClass(message, options)
    : new ModelError(message, "model-failed", options);
  if (isFinal) endRetries(error);
  return error;
}

/** What is written down of a request that had no answer. */
export function recordFailure(error: unknown, redact: Redaction): NonNullable<WireExchange["failure"]> {
  const code = codeOf(error);
  return { message: redact.text(errorMessage(error)), ...(code !== undefined && { code }) };
}

/** The error that `fetch` rejects with again. */
export function replayFailure({ message, code }: NonNullable<WireExchange["failure"]>): TypeError {
  const cause = new Error(message);
  if (code !== undefined) Reflect.set(cause, "code", code);
  return new TypeError(message, { cause });
}

/** The first code down the chain of causes. */
function codeOf(error: unknown): string | undefined {
  for (let link = error, depth = 0; link instanceof Error && depth < 8; link = link.cause, depth++)
    if ("code" in link && typeof link.code === "string") return link.code;
  return undefined;
}

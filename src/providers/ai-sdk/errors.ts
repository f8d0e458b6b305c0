import {
  AuthenticationError,
  InvalidRequestError,
  MalformedResponseError,
  ModelError,
  SkeinError,
} from "../../errors.ts";
import { providerError, requestIdOf } from "../../model/http-errors.ts";
import { networkError } from "../../model/network-error.ts";
import { copyError, redactor } from "../../model/secrets.ts";
import { errorMessage } from "../../base/util/error-message.ts";
import type { JsonObject } from "../../base/util/json.ts";
import { isJsonObject, countIn, stringIn } from "../kit/json-values.ts";

/** The request that failed. */
export interface FailureContext {
  readonly provider: string;
  readonly modelId: string;
  /** The headers of the answer, if it had started. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The AI SDK does not reveal its headers, and so its keys: anything that looks like a key is masked. */
const redact = redactor({});

/** Matches errors of the AI SDK for an unreadable answer. */
const unreadable = /JSONParse|TypeValidation|InvalidResponseData|EmptyResponseBody|NoContentGenerated/;
/** Matches errors of the AI SDK for an invalid request. */
const unusable =
  /UnsupportedFunctionality|InvalidPrompt|InvalidArgument|LoadSetting|NoSuchModel|NoSuchProviderReference/;

/**
 * The typed error for an error that a language model of the AI SDK threw or reported in its stream. The AI SDK's error does
 * not become its cause, since it contains the whole request.
 */
export function aiSdkError(error: unknown, context: FailureContext): Error {
  if (error instanceof SkeinError) return error;
  const failure = isJsonObject(error) ? error : {};
  const status = countIn(failure, "statusCode");
  if (status !== undefined && status >= 400) return answeredError(failure, status, context);
  const name = stringIn(failure, "name") ?? "";
  const cause = error instanceof Error ? error.cause : undefined;
  if (name === "AI_RetryError" && isJsonObject(failure["lastError"]))
    return aiSdkError(failure["lastError"], context);
  // The answer started, and failed later: the cause says why.
  if (name === "AI_APICallError" && cause instanceof Error && cause.name.startsWith("AI_"))
    return aiSdkError(cause, context);
  const { provider, modelId, headers } = context;
  const details = redact(errorMessage(error)).slice(0, 1000);
  const options = { provider, modelId, status, providerMessage: details, requestId: requestIdOf(headers) };
  if (name === "AI_LoadAPIKeyError")
    return new AuthenticationError(`${provider}:${modelId} has no API key: ${details}`, options);
  if (unusable.test(name))
    return new InvalidRequestError(`${provider}:${modelId} cannot send the request: ${details}`, options);
  if (unreadable.test(name))
    return new MalformedResponseError(
      `${provider}:${modelId} sent an unreadable answer: ${details}`,
      options,
    );
  if (name === "AI_APICallError" || isNetworkFailure(error)) return brokenConnection(failure, error, context);
  // An error within the stream has the provider's form.
  if (!(error instanceof Error))
    return providerError({ provider, modelId, headers, body: bodyOf(error), redact });
  const message = `${provider}:${modelId} failed: ${details}`;
  return new ModelError(message, "model-failed", { ...options, cause: copyError(error, redact) });
}

function answeredError(
  failure: JsonObject,
  status: number,
  { provider, modelId, headers }: FailureContext,
): Error {
  const own = failure["responseHeaders"];
  const text = stringIn(failure, "responseBody");
  const parsed = text === undefined ? undefined : parseBody(text);
  return providerError({
    provider,
    modelId,
    url: stringIn(failure, "url"),
    status,
    headers: isJsonObject(own) ? textFields(own) : headers,
    body: parsed ?? bodyOf(failure),
    redact,
  });
}

/** The body of a failure, in the form that providers send. */
function bodyOf(error: unknown): unknown {
  if (!isJsonObject(error)) return error;
  const { message, code, type, error: inner } = error;
  return inner === undefined ? { error: { message, code, type } } : { error: inner };
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text.trim() === "" ? undefined : text;
  }
}

function textFields(headers: JsonObject): Record<string, string> {
  const entries = Object.entries(headers).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return Object.fromEntries(entries);
}

function isNetworkFailure(error: unknown): boolean {
  let depth = 0;
  for (let link = error; link instanceof Error && depth < 8; link = link.cause, depth += 1) {
    if ("code" in link && typeof link.code === "string") return true;
  }
  // The messages of `fetch` on all runtimes for a connection that failed or broke.
  return error instanceof TypeError && /fetch failed|failed to fetch|terminated|network/i.test(error.message);
}

function brokenConnection(failure: JsonObject, error: unknown, { provider, modelId }: FailureContext): Error {
  const address = stringIn(failure, "url") ?? "";
  const url = URL.canParse(address) ? address : "https://the-provider";
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : undefined;
  const inner = cause ?? (stringIn(failure, "name") === "AI_APICallError" ? errorMessage(error) : error);
  return networkError({ provider, modelId, url, redact }, "the connection failed to", inner);
}

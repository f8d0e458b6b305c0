import {
  AuthenticationError,
  InvalidRequestError,
  MalformedResponseError,
  ModelError,
  SkeinError,
} from "../../errors.ts";
import { providerError, requestIdOf } from "../../model/http-errors.ts";
import { networkError } from "../../model/network-error.ts";
import { redactor, withoutSecrets } from "../../model/secrets.ts";
import { errorMessage } from "../../base/util/error-message.ts";
import type { JsonObject } from "../../base/util/json.ts";
import { isObject, numberIn, textIn } from "./fields.ts";

/** Where a failure came from. */
export interface FailureContext {
  readonly provider: string;
  readonly modelId: string;
  /** Of the answer, if it had begun. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Keys stand in headers, which the AI SDK keeps to itself: what looks like a key is masked wherever it stands. */
const redact = redactor({});

/** Errors of the AI SDK that say that the answer cannot be read. */
const unreadable = /JSONParse|TypeValidation|InvalidResponseData|EmptyResponseBody|NoContentGenerated/;
/** Those that say that the request cannot be made. */
const unusable =
  /UnsupportedFunctionality|InvalidPrompt|InvalidArgument|LoadSetting|NoSuchModel|NoSuchProviderReference/;

/**
 * The typed error of whatever a language model of the AI SDK threw, or told within its stream. The AI SDK's own error is
 * not kept as its cause, since it holds the whole request.
 */
export function aiSdkError(error: unknown, context: FailureContext): Error {
  if (error instanceof SkeinError) return error;
  const failure = isObject(error) ? error : {};
  const status = numberIn(failure, "statusCode");
  if (status !== undefined && status >= 400) return answeredError(failure, status, context);
  const name = textIn(failure, "name") ?? "";
  const cause = error instanceof Error ? error.cause : undefined;
  if (name === "AI_RetryError" && isObject(failure["lastError"]))
    return aiSdkError(failure["lastError"], context);
  // An answer that began well: its cause says what went wrong then.
  if (name === "AI_APICallError" && cause instanceof Error && cause.name.startsWith("AI_"))
    return aiSdkError(cause, context);
  const { provider, modelId, headers } = context;
  const words = redact(errorMessage(error)).slice(0, 1000);
  const options = { provider, modelId, status, providerMessage: words, requestId: requestIdOf(headers) };
  if (name === "AI_LoadAPIKeyError")
    return new AuthenticationError(`${provider}:${modelId} has no key: ${words}`, options);
  if (unusable.test(name))
    return new InvalidRequestError(`${provider}:${modelId} cannot make the request: ${words}`, options);
  if (unreadable.test(name))
    return new MalformedResponseError(
      `${provider}:${modelId} sent an answer that cannot be read: ${words}`,
      options,
    );
  if (name === "AI_APICallError" || isNetworkFailure(error)) return brokenConnection(failure, error, context);
  // An error that came within the stream has the provider's own form.
  if (!(error instanceof Error))
    return providerError({ provider, modelId, headers, body: bodyOf(error), redact });
  const message = `${provider}:${modelId} failed: ${words}`;
  return new ModelError(message, "model-failed", { ...options, cause: withoutSecrets(error, redact) });
}

function answeredError(
  failure: JsonObject,
  status: number,
  { provider, modelId, headers }: FailureContext,
): Error {
  const own = failure["responseHeaders"];
  const text = textIn(failure, "responseBody");
  const parsed = text === undefined ? undefined : parsedBody(text);
  return providerError({
    provider,
    modelId,
    url: textIn(failure, "url"),
    status,
    headers: isObject(own) ? textFields(own) : headers,
    body: parsed ?? bodyOf(failure),
    redact,
  });
}

/** What a provider said, in the form in which providers say it. */
function bodyOf(error: unknown): unknown {
  if (!isObject(error)) return error;
  const { message, code, type, error: inner } = error;
  return inner === undefined ? { error: { message, code, type } } : { error: inner };
}

function parsedBody(text: string): unknown {
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
  // What `fetch` says on any runtime of a connection that did not come about or broke.
  return error instanceof TypeError && /fetch failed|failed to fetch|terminated|network/i.test(error.message);
}

function brokenConnection(failure: JsonObject, error: unknown, { provider, modelId }: FailureContext): Error {
  const said = textIn(failure, "url") ?? "";
  const url = URL.canParse(said) ? said : "https://the-provider";
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : undefined;
  const inner = cause ?? (textIn(failure, "name") === "AI_APICallError" ? errorMessage(error) : error);
  return networkError({ provider, modelId, url, redact }, "the connection failed to", inner);
}

import { InvalidInputError } from "../../errors.ts";
import { type PublicError, publicError, unsupportedPart } from "../../run/public/public-error.ts";

/** The body of an error of OpenAI's APIs (https://platform.openai.com/docs/guides/error-codes). */
export interface OpenAIErrorBody {
  readonly error: {
    readonly message: string;
    /** The kind of error, such as `"invalid_request_error"`. */
    readonly type: string;
    /** The field of the request that is wrong. */
    readonly param: string | null;
    readonly code: string | null;
  };
}

/** What else an error says. */
export interface OpenAIErrorDetails {
  /** The field of the request that is wrong, such as `"messages[0].role"`. */
  readonly param?: string;
  /** What programs branch on, such as `"model_not_found"`. */
  readonly code?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const types: Readonly<Record<number, string>> = {
  401: "authentication_error",
  403: "permission_error",
  429: "rate_limit_error",
};

/** The body of an error, by the HTTP status that it has or would have. */
export function openaiErrorBody(
  status: number,
  message: string,
  { param, code }: OpenAIErrorDetails = {},
): OpenAIErrorBody {
  const type = types[status] ?? (status < 500 ? "invalid_request_error" : "server_error");
  return { error: { message, type, param: param ?? null, code: code ?? null } };
}

/**
 * A refusal in the form of OpenAI's APIs, for servers of Chat Completions and Responses.
 * @param status - The HTTP status: 400, 401, 403, 404, 409, 413, 429 or 500.
 * @param message - What the client reads: no error's own words, but for those about its request.
 */
export function openaiError(status: number, message: string, details: OpenAIErrorDetails = {}): Response {
  return Response.json(openaiErrorBody(status, message, details), {
    status,
    headers: { ...details.headers },
  });
}

/**
 * The refusal for an error: what is wrong with a request, for those of `fromChatCompletionRequest` and `fromResponsesRequest` (400); for all
 * others the code alone, since their words are not for clients. OpenAI's clients do not send a request again whose run has failed: its tools
 * may have done their work.
 */
export function openaiErrorOf(error: unknown): Response {
  if (error instanceof InvalidInputError && typeof error.data["path"] === "string")
    return openaiError(400, error.message, { param: error.data["path"], code: "invalid_request" });
  return refusalOf(publicError(error));
}

/** The refusal of a run that has failed, or wants something that the protocol does not have. */
export function refusalOf(
  { code, message }: PublicError,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return openaiError(statusOf(code), message, { code, headers: { ...headers, "x-should-retry": "false" } });
}

/** The status for the code of a run that failed. */
export function statusOf(code: string): number {
  return Object.hasOwn(statuses, code) ? (statuses[code] ?? 500) : 500;
}

const statuses: Readonly<Record<string, number>> = {
  "rate-limit": 429,
  "approval-required": 409,
  [unsupportedPart]: 400,
};

/** What else a SkeinClientError says. */
export interface ClientErrorDetails {
  /** In kebab-case, to branch on. */
  readonly code: string;
  readonly status?: number | undefined;
  /** In milliseconds. */
  readonly retryAfter?: number | undefined;
  readonly cause?: unknown;
}

/** What the client of a Skein server throws: a refusal of the server, a run that failed, a connection that stays broken, a wrong option. */
export class SkeinClientError extends Error {
  /**
   * In kebab-case, to branch on: the server's code for a refusal (such as `"not-found"`, `"conversation-busy"`, `"nothing-waits"`) and for a run that
   * failed (such as `"rate-limit"`, `"run-failed"`); else `"connection-lost"`, `"stream-error"`, `"run-stuck"`, `"events-expired"`,
   * `"events-dropped"`, `"turn-restart"`, `"invalid-answer"` or `"invalid-option"`.
   */
  readonly code: string;
  /** The HTTP status of a refusal; `undefined` for everything else. */
  readonly status: number | undefined;
  /** After how many milliseconds to try again, where the server says so. */
  readonly retryAfter: number | undefined;

  constructor(message: string, { code, status, retryAfter, cause }: ClientErrorDetails) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "SkeinClientError";
    this.code = code;
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** A connection that broke, or was not made. */
export function connectionLost(url: string, why: string, cause?: unknown): SkeinClientError {
  return new SkeinClientError(`The connection to ${url} is broken: ${why}.`, {
    code: "connection-lost",
    cause,
  });
}

/** A wrong option, or a wrong argument. */
export function invalidOption(message: string): SkeinClientError {
  return new SkeinClientError(message, { code: "invalid-option" });
}

/** What the server says of a request that it refuses; of what stands before a server, its status. */
export async function refusalOf(response: Response): Promise<SkeinClientError> {
  const { status, url, headers } = response;
  const { code, message } = errorIn(await response.text());
  return new SkeinClientError(
    typeof message === "string" ? message : `${url} answered with the status ${status}.`,
    {
      code: typeof code === "string" ? code : `http-${status}`,
      status,
      retryAfter: retryAfterOf(headers.get("retry-after")),
    },
  );
}

/** The `error` of an answer. */
function errorIn(text: string): { readonly code?: unknown; readonly message?: unknown } {
  try {
    const { error }: { readonly error?: unknown } = Object(JSON.parse(text));
    return Object(error);
  } catch {
    return {};
  }
}

/** Seconds, or a date (https://www.rfc-editor.org/rfc/rfc9110#field.retry-after), in milliseconds. */
function retryAfterOf(text: string | null): number | undefined {
  if (text === null) return undefined;
  const delay = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return delay >= 0 ? delay : undefined;
}

/** A request that is refused: thrown anywhere on its way, answered in the form of its protocol. */
export class Refusal extends Error {
  readonly status: number;
  /** In kebab-case, to branch on. */
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;

  /** The field of the request that is wrong. */
  readonly param: string | undefined;

  /** @param message - Sent to the client: what is wrong, and what to do. */
  constructor(
    status: number,
    code: string,
    message: string,
    headers: Readonly<Record<string, string>> = {},
    param?: string,
  ) {
    super(message);
    this.name = "Refusal";
    this.status = status;
    this.code = code;
    this.headers = headers;
    this.param = param;
  }
}

/** Nothing that the user may see has this id. */
export function notFound(what: string): Refusal {
  return new Refusal(404, "not-found", `${what} was not found.`);
}

/** The user may not approve or deny calls: `authorize` says so. */
export function mayNotDecide(): Refusal {
  return new Refusal(
    403,
    "may-not-decide",
    "You may not decide on this call: the staff of this server do (its authorize returned decide: false for you). Nothing was done.",
  );
}

/** A refusal as Skein's own routes answer it. */
export function plainRefusal({ status, code, message, headers }: Refusal): Response {
  return Response.json({ error: { code, message } }, { status, headers });
}

/**
 * A server that closes takes nothing more; another one may.
 * @param mayRepeat - Whether the same request once more does nothing twice. OpenAI's clients repeat by themselves what does not say so.
 */
export function closingRefusal(mayRepeat = true): Refusal {
  return new Refusal(503, "closing", "The server is closing.", retryHeaders(5, mayRepeat));
}

/**
 * Nobody knows what was stored: a run may go on.
 * @param mayRepeat - As that of `closingRefusal`.
 */
export function storeRefusal(id: string, mayRepeat: boolean): Refusal {
  const message = `The server's store does not answer. What was begun may go on. The id of the request is ${id}.`;
  return new Refusal(503, "store-failed", message, retryHeaders(2, mayRepeat));
}

function retryHeaders(seconds: number, mayRepeat: boolean): Readonly<Record<string, string>> {
  return { "retry-after": String(seconds), ...(!mayRepeat && { "x-should-retry": "false" }) };
}

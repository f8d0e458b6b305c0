import { InvalidInputError, SkeinError } from "../../errors.ts";
import { errorMessage } from "../../base/util/error-message.ts";
import { printable } from "../text.ts";

/** The codes of JSON-RPC and of the Agent Client Protocol that are used here. */
const codes = {
  "invalid-request": -32_600,
  "invalid-params": -32_602,
  failed: -32_603,
  "not-found": -32_002,
} as const;

/** Why a request of the editor is not carried out: an error of JSON-RPC. */
export class Refusal extends Error {
  /** The code of JSON-RPC. */
  readonly code: number;
  /** For programs: `code` is what an error of Skein has, such as `"rate-limit"`. */
  readonly data: Readonly<Record<string, string>>;

  constructor(kind: keyof typeof codes, message: string, data: Readonly<Record<string, string>>) {
    super(printable(message));
    this.code = codes[kind];
    this.data = data;
  }
}

/** A session that is not there, in this process or in the file of sessions. */
export function sessionNotFound(sessionId: string): Refusal {
  return new Refusal("not-found", "The session is not there. Start a new one.", {
    code: "session-not-found",
    sessionId,
  });
}

/** Something that the editor has sent and must not. */
export function invalidParams(message: string): Refusal {
  return new Refusal("invalid-params", message, { code: "invalid-input" });
}

/** Something that cannot be done as things stand. */
export function invalidRequest(message: string, code: string): Refusal {
  return new Refusal("invalid-request", message, { code });
}

/** Whatever was thrown, as an error that the editor shows. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof InvalidInputError)
    return new Refusal("invalid-params", error.message, { code: error.code });
  if (!(error instanceof SkeinError))
    return new Refusal("failed", errorMessage(error), { code: "run-failed" });
  // What a program could do instead is nothing for a user.
  if (error.code === "session-busy")
    return invalidRequest(
      "Another process answers in this session. Try again when it has ended.",
      error.code,
    );
  return new Refusal("failed", error.message, { code: error.code });
}

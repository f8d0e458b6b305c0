import { SkeinError } from "../../errors.ts";
import { isError } from "../../base/util/is-error.ts";

/** What a client learns of a failure. */
export interface PublicError {
  /** The code of a SkeinError, such as `"rate-limit"`; else `"run-failed"`. */
  readonly code: string;
  readonly message: string;
}

const general = "The run failed.";

/** The code of a failure for what a client has sent: a request that is not to be sent again. */
export const unsupportedPart = "unsupported-part";

/** The failure without its words, which may be those of a provider, a tool or a store, and have keys in them. */
export function publicError(error: unknown): PublicError {
  const code = error instanceof SkeinError ? error.code : storedCode(error);
  if (code === unsupportedPart) return { code, message: withoutModel(error) };
  return { code: code ?? "run-failed", message: code === undefined ? general : `${general} (${code})` };
}

/** Which part the model does not support: what the program calls that is not for clients. */
function withoutModel(error: unknown): string {
  const { part }: { readonly part?: unknown } = Object(error);
  return typeof part === "string"
    ? `The model does not support the ${part} in a user's message.`
    : "The model does not support a part of a message.";
}

/** Why something that a client has sent to a run was not carried out: in words that are about that alone. */
export function publicProblem(error: unknown): PublicError {
  const { code, message }: { readonly code?: unknown; readonly message?: unknown } = Object(error);
  return code === "invalid-input" && typeof message === "string"
    ? { code, message: clientWords(message) }
    : publicError(error);
}

/** What programs call things, and clients do not. */
const programWords: readonly (readonly [RegExp, string])[] = [
  [/^options\.approvals /, "The decision "],
  [/options\.approvals/g, "the decision"],
  [/\b[Tt]he option (\w+) of start\(\)/g, "$1"],
  [/^What start\(\) takes/, "The request"],
  [/ of start\(\)/g, ""],
  [/^Each entry of decide\(\)/, "Each decision"],
  [/that decide\(\) (has|gives) for/g, "for"],
];

/** A sentence about what a client has sent, without names of the program's. */
export function clientWords(message: string): string {
  return programWords.reduce((text, [words, instead]) => text.replace(words, instead), message);
}

/** The code of an error that was stored. One that is thrown may have a code of anybody's. */
function storedCode(error: unknown): string | undefined {
  if (isError(error)) return undefined;
  const { code }: { readonly code?: unknown } = Object(error);
  return typeof code === "string" && /^[a-z][a-z0-9-]{0,39}$/.test(code) ? code : undefined;
}

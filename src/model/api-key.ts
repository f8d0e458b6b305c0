import { ConfigurationError } from "../errors.ts";

/** What gets into keys when they are copied, and its name. The first match is reported. */
const intruders: readonly (readonly [RegExp, string])[] = [
  [/[\r\n\u2028\u2029]/, "a line break"],
  [/[\u2018-\u201f\u00ab\u00bb\u2039\u203a]/, "a typographic quotation mark"],
  [/^["'`]|["'`]$/, "a quotation mark at its beginning or end"],
  [/[\u200b-\u200f\u2060\ufeff\u00ad]/, "an invisible character"],
  [/[\u00a0\u2000-\u200a\u202f\u3000]/, "a space other than the plain one"],
  [/[\u2010-\u2015\u2212]/, "a dash where a hyphen belongs"],
  [/\u2026/, "an ellipsis: it is not the whole key"],
  [/\p{Cc}/u, "a control character"],
  [/[^\x20-\x7e]/, "a character outside ASCII"],
];

/**
 * Checks that a key is a text, and has characters only that keys have. The key itself is never shown.
 * @param source what it was set with: `apiKey` or the name of a variable.
 * @throws ConfigurationError (`invalid-key`) naming the source, and what is wrong with the key.
 */
export function assertKeyCharacters(key: unknown, source: string): void {
  if (typeof key !== "string")
    throw new ConfigurationError(
      `The key in ${source} must be a text, not of the type ${typeof key}. For a key that changes, make the model when it is needed, or set the header in a fetch of your own.`,
      { code: "invalid-key", data: { source } },
    );
  const intruder = intruders.find(([pattern]) => pattern.test(key))?.[1];
  if (intruder === undefined) return;
  throw new ConfigurationError(`The key in ${source} holds ${intruder}. Copy the key again, and it alone.`, {
    code: "invalid-key",
    data: { source },
  });
}

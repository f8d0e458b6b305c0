import { readOptions, invalidOption } from "../base/options/known-options.ts";
import { addressPassword, keyLike } from "../base/util/redact-keys.ts";
import { formsOf } from "../model/secrets.ts";
import type { Judged } from "./checks.ts";
import { plainText } from "./plain.ts";

/** What `secrets` looks for. */
export interface SecretsOptions {
  /** Secrets of the program itself, such as `process.env.API_KEY`: 8 characters at least. They are recognised in URLs, JSON and base64, too. */
  readonly values?: readonly string[];
}

const shortestValue = 8;

/** The head of a private key as PEM has it (RFC 7468), that of OpenSSH and PGP. */
const privateKey = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;

/** What follows the word "Bearer" in a sentence is a word most of the time: a credential has a digit. */
const bearer = /^Bearer\s+(?!\S*\d\S*$)/;

/**
 * A check without a model: whether a text has what looks like a key of a provider (`sk-...`, `ghp_...`, `AKIA...`), a web token, a private
 * key, the password of an address, or one of the program's own secrets.
 * @throws ConfigurationError (`invalid-option`)
 */
export function secrets(options: SecretsOptions = {}): (judged: Pick<Judged, "text">) => string | undefined {
  const { values = [] } = readOptions(options, { values: true }, "secrets()");
  if (
    !Array.isArray(values) ||
    !values.every((value) => typeof value === "string" && value.length >= shortestValue)
  )
    throw invalidOption(
      `values of secrets() must be a list of texts of ${shortestValue} characters or more.`,
      {
        option: "values",
      },
    );
  const forms = [...new Set(values.flatMap(formsOf))].filter((form) => form.length >= shortestValue);
  return ({ text }) => {
    const plain = plainText(text);
    if (forms.some((form) => text.includes(form) || plain.includes(form))) return "a secret of the program";
    if (privateKey.test(plain)) return "a private key";
    if ([...plain.matchAll(keyLike)].some(([key]) => !bearer.test(key))) return "a key or token";
    return plain.search(addressPassword) >= 0 ? "an address with a password" : undefined;
  };
}

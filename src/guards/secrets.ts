import { describeValue, invalidOption, readOptions } from "../base/options/known-options.ts";
import { addressPassword, keyLike } from "../base/util/redact-keys.ts";
import { formsOf } from "../model/secrets.ts";
import type { Judged } from "./checks.ts";
import { hasEnvSecret } from "./env-secrets.ts";
import { plainText } from "./plain.ts";
import { isStandIn } from "./stand-ins.ts";
import { isWords } from "./words.ts";

/** What `secrets` looks for. */
export interface SecretsOptions {
  /**
   * Secrets of the program itself, such as `process.env.API_KEY`: 8 characters at least. They are recognised in URLs, JSON and base64, and
   * with line breaks within.
   */
  readonly values?: readonly string[];
}

const shortestValue = 8;

/** The head of a private key as PEM has it (RFC 7468), that of OpenSSH and PGP. */
const privateKey = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;

/** What follows the word "Bearer" in a sentence is a word most of the time: a credential has a digit. */
const bearer = /^Bearer\D*$/;

/** What begins like a key, and like names of styles and columns: `sk-fading-circle`, `pk_order_item`. */
const nameLike = /^(?:sk|gsk|xai|nvapi|pk|hf)[-_]/;

/** Where Markdown begins to emphasise a word: the mark is not the word's. Its last character alone, so that a long run costs no more. */
const emphasis = /(?<![\dA-Za-z])_(?=[A-Za-z])/g;

/**
 * A check without a model: whether a text has what looks like a key of a provider (`sk-...`, `ghp_...`, `AKIA...`), a web token, a private
 * key, the password of an address, a secret as `.env` files have them, or one of the program's own secrets.
 * @throws ConfigurationError (`invalid-option`)
 */
export function secrets(options: SecretsOptions = {}): (judged: Pick<Judged, "text">) => string | undefined {
  const { values = [] } = readOptions(options, { values: true }, "secrets()");
  assertValues(values);
  const forms = [...new Set(values.flatMap(formsOf))].filter((form) => form.length >= shortestValue);
  const unbroken = values.map((value) => withoutBreaks(value, ""));
  return ({ text }) => {
    const plain = plainText(text);
    if (forms.length > 0) {
      const decoded = percentDecoded(plain);
      const texts = [text, plain, decoded, withoutBreaks(decoded, ""), withoutBreaks(decoded, " ")];
      const isInside = (form: string): boolean => texts.some((each) => each.includes(form));
      if ([...forms, ...unbroken].some(isInside)) return "a secret of the program";
    }
    if (privateKey.test(plain)) return "a private key";
    const keys = plain.replaceAll(emphasis, " ").matchAll(keyLike);
    if ([...keys].some(([key]) => !bearer.test(key) && !isName(key))) return "a key or token";
    const addresses = [...plain.matchAll(addressPassword)];
    if (addresses.some(([address, start = ""]) => !isStandIn(address.slice(start.length))))
      return "an address with a password";
    return hasEnvSecret(plain) ? "a secret as .env files have them" : undefined;
  };
}

/** What is not a secret is named by its place, and a text by its length: it may be one all the same. */
function assertValues(values: readonly unknown[]): void {
  const needs = `must be a text of ${shortestValue} characters or more`;
  if (!Array.isArray(values))
    throw invalidOption(
      `values of secrets() must be a list, each of which ${needs}: { values: [process.env.API_KEY] }.`,
      { option: "values" },
    );
  for (const [index, value] of values.entries()) {
    if (typeof value === "string" && value.length >= shortestValue) continue;
    const kind = typeof value === "string" ? `one of ${value.length}` : describeValue(value);
    throw invalidOption(
      `values[${index}] of secrets() ${needs}, not ${kind}. Set the variable that it comes from, or leave the entry out.`,
      { option: `values[${index}]` },
    );
  }
}

function isName(key: string): boolean {
  return nameLike.test(key) && isWords(key, /[^\dA-Za-z]+/);
}

/** A text with what URLs write as `%2D`, of which any character may be written so. */
function percentDecoded(text: string): string {
  return text.replaceAll(/(?:%[\dA-Fa-f]{2})+/g, (codes) => {
    try {
      return decodeURIComponent(codes);
    } catch {
      return codes;
    }
  });
}

/** A text with its line breaks, and the blanks around each, replaced. */
function withoutBreaks(text: string, replacement: string): string {
  return text.replaceAll(/\s+/g, (blanks) => (/[\r\n]/.test(blanks) ? replacement : blanks));
}

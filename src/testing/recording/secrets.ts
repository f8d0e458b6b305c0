import type { JsonValue } from "../../base/util/json.ts";
import { keyLike, mask, secretWord } from "../../base/util/redact-keys.ts";
import { hideEscaped, plainForms } from "../../model/hide-secrets.ts";
import { type MaskPieces, pieceMasker } from "../../model/secret-pieces.ts";
import { credentialsIn, formsOf, secretHeader, shortestKey } from "../../model/secrets.ts";
import { fromBinary, toBinary } from "./chunks.ts";
import { redactFrames } from "./frames.ts";

/** The headers of a request whose values are kept: whatever else a program sends may be a secret. */
const keptOfRequests = /^(?:accept|content-type|anthropic-version|anthropic-beta|openai-beta)$/;

/** The headers of an answer that are kept. */
const keptOfAnswers = /^(?:content-type|retry-after(?:-ms)?|x-should-retry|(?:x-)?request-id)$|ratelimit/;

/** Names of secrets: not the tokens that lead to the next page, which a replay needs. */
const name = `[\\w.%\\[-]{0,40}(?<!page_?|next_?|sync_?|continuation_?|cursor_?)${secretWord}(?:_token)?`;

/** Fields whose values are secrets. The signatures of a model's thoughts are none, and are sent back. */
const secretField = new RegExp(`^${name}$`, "i");

/** Parameters of URLs and forms whose values are secrets. */
const parameter = `(?:${name}|[\\w.-]{0,40}signature|key|sig)(?:\\]|%5D)?`;

const secretParameter = new RegExp(`^${parameter}$`, "i");

/** Values within text that are secrets for the name before them, the second group: in JSON, also escaped; in forms and URLs; in parts. */
const namedValues = [
  `((\\\\{0,7}["'])${name}\\2\\s{0,8}:\\s{0,8}\\2)((?:(?!\\2)(?:\\\\[^]|[^]))+)`,
  `((\\\\{0,7}["'])${name}\\2\\s{0,8}:\\s{0,8})(\\d{4,})`,
  `((?:^|[?&;\\s"'])()${parameter}=)([^\\s&;"'<>\\\\]+)`,
  `(\\bname="()${parameter}"\\r?\\n(?:[^\\r\\n]{1,200}\\r?\\n){0,4}\\r?\\n)([^\\r\\n]+)`,
].map((source) => new RegExp(source, "gi"));

/** The names of environment variables that hold secrets. */
const secretVariable = /(?:KEY|TOKEN|SECRET|PASSWORD)$/i;

/** Names of accounts as providers write them. */
const accountLike = String.raw`\b(?:org-|proj_)(?=\w*\d)\w{8,}`;

/** Takes the secrets out of what is written down. */
export interface Redaction {
  text(text: string): string;
  /** Whole values of fields that hold secrets, and whatever looks like one within other texts. */
  json(value: unknown): JsonValue;
  url(url: string): string;
  requestHeaders(headers: Headers): Record<string, string>;
  answerHeaders(headers: Iterable<readonly [string, string]>): Record<string, string>;
  /** Pieces of one text, each as long as before: a secret may lie in several. */
  texts(pieces: readonly string[]): readonly string[];
  /** Pieces of one answer: a secret may lie in several, and in several frames of a stream. */
  pieces(pieces: readonly Uint8Array[]): readonly Uint8Array[];
}

/** Redacts `secrets`, those that `headers` carry and those in the environment; redacting again changes nothing. */
export function redaction(secrets: readonly string[] = [], headers: Headers = new Headers()): Redaction {
  const credentials = [...secrets, ...secretsIn(headers)];
  const values = [...credentials, ...environmentSecrets()].filter((secret) => secret.length >= 6);
  const forms = [...new Set(values.flatMap(allFormsOf))].sort((a, b) => b.length - a.length);
  const inText = patternOf(forms);
  const inBytes = patternOf(forms.map((form) => toBinary(new TextEncoder().encode(form))));
  // The word before a credential, such as `Bearer`, is not a secret.
  const bare = credentials.filter((secret) => secret.length >= shortestKey && !/\s/.test(secret));
  const inPieces = pieceMasker(bare);
  const plain = plainForms(forms, 6);
  const maskPieces: MaskPieces = (original, maskOf) => inPieces(hideEscaped(original, plain, maskOf), maskOf);
  const text = (original: string): string => maskPieces(redactText(original, inText, () => mask));
  const json = (value: unknown): JsonValue => {
    const encoded: string | undefined = JSON.stringify(value);
    return encoded === undefined ? null : redactJson(JSON.parse(encoded), text);
  };
  return {
    text,
    json,
    url: (url) => redactUrl(url, text),
    requestHeaders: (headersSent) =>
      Object.fromEntries(
        [...headersSent].map(([name, value]) => [name, keptOfRequests.test(name) ? text(value) : mask]),
      ),
    answerHeaders: (received) =>
      Object.fromEntries(
        [...received]
          .filter(([name]) => keptOfAnswers.test(name))
          .map(([name, value]) => [name, text(value)]),
      ),
    texts: (pieces) => redactPieces(pieces, inText, maskPieces),
    pieces: (pieces) => {
      const binary = pieces.map(toBinary);
      const frames = redactFrames(binary, (texts) => redactPieces(texts, inText, maskPieces));
      return redactPieces(frames, inBytes, maskPieces).map((piece, index) =>
        piece === binary[index] ? (pieces[index] ?? fromBinary(piece)) : fromBinary(piece),
      );
    },
  };
}

/** The secrets that a request's headers carry. */
export function secretsIn(headers: Headers): string[] {
  return [...headers].flatMap(([name, value]) => {
    if (!secretHeader.test(name) && !/organization|project/i.test(name)) return [];
    return [value, ...credentialsIn(value), ...(/cookie/i.test(name) ? value.split(/;\s*|=/) : [])];
  });
}

/** The secrets that an address carries. */
export function secretsInUrl(url: string): string[] {
  const { username, password, searchParams } = new URL(url);
  const parameters = [...searchParams].flatMap(([name, value]) =>
    secretParameter.test(name) ? [value] : [],
  );
  return [...parameters, ...[username, password].map(decodeLoosely)];
}

function decodeLoosely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function environmentSecrets(): string[] {
  return Object.entries(globalThis.process?.env ?? {}).flatMap(([name, value]) =>
    secretVariable.test(name) && value !== undefined && value.length >= 8 ? [value] : [],
  );
}

/** A secret in all the ways that URLs, forms, JSON, pages and hexadecimal digits write it. */
function allFormsOf(secret: string): string[] {
  const inJson = [writeJson, writeAsciiJson].flatMap((write) => {
    const levels = [write(secret)];
    // The arguments of a call are JSON in JSON; a body that quotes them is so once more.
    while (levels.length < 4) levels.push(writeJson(levels.at(-1) ?? ""));
    return levels;
  });
  const inForm = new URLSearchParams([["", secret.toWellFormed()]]).toString().slice(1);
  const hex = Array.from(new TextEncoder().encode(secret), (byte) => byte.toString(16).padStart(2, "0")).join(
    "",
  );
  return [...formsOf(secret), ...inJson, inForm, hex, hex.toUpperCase()];
}

function writeJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function writeAsciiJson(text: string): string {
  return writeJson(text).replaceAll(
    /[\u007F-\uFFFF]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function patternOf(secrets: readonly string[]): RegExp {
  const escaped = secrets.map((secret) => secret.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`));
  return new RegExp([...escaped, keyLike.source, accountLike].join("|"), "g");
}

/** The text without its secrets; `maskOf` says what stands in the place of each. */
function redactText(original: string, pattern: RegExp, maskOf: (secret: string) => string): string {
  return namedValues.reduce(
    (text, named) =>
      text.replaceAll(
        named,
        (_, start: string, _quote, secret: string) =>
          // Digits stay digits, else the text would be JSON no more.
          start + (/^\d+$/.test(secret) ? "9".repeat(secret.length) : maskOf(secret)),
      ),
    original.replaceAll(pattern, maskOf),
  );
}

/** Keys of objects are texts, too. */
function redactJson(value: JsonValue, text: (original: string) => string, field = ""): JsonValue {
  const isSecret = secretField.test(field) && value !== "" && value !== null;
  if (typeof value === "string") return isSecret ? mask : text(value);
  if (typeof value === "number") return isSecret && value >= 1000 ? mask : value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item: JsonValue) => redactJson(item, text));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [text(name), redactJson(item ?? null, text, name)]),
  );
}

function redactUrl(url: string, text: (original: string) => string): string {
  if (!URL.canParse(url)) return text(url);
  const parsed = new URL(url);
  for (const name of new Set(parsed.searchParams.keys()))
    if (secretParameter.test(name)) parsed.searchParams.set(name, mask);
  if (parsed.username !== "") parsed.username = "redacted";
  if (parsed.password !== "") parsed.password = "redacted";
  return text(parsed.href).replaceAll(encodeURIComponent(mask), mask);
}

/** Each piece stays as long as it is. */
function redactPieces(pieces: readonly string[], pattern: RegExp, maskPieces: MaskPieces): readonly string[] {
  const maskOf = ({ length }: string): string => mask.padEnd(length, "*").slice(0, length);
  const clean = maskPieces(redactText(pieces.join(""), pattern, maskOf), maskOf);
  let from = 0;
  return pieces.map(({ length }) => clean.slice(from, (from += length)));
}

import type { JsonValue } from "../../base/util/json.ts";
import { keyLike, mask, redactKeys } from "../../base/util/redact-keys.ts";
import { hideEscaped, plainForms } from "../../model/hide-secrets.ts";
import { type MaskPieces, pieceMasker } from "../../model/secret-pieces.ts";
import { credentialsIn, formsOf, secretHeader, shortestKey } from "../../model/secrets.ts";
import { fromBinary, toBinary } from "./chunks.ts";
import { redactFrames } from "./frames.ts";
import { redactJson } from "./redact-json.ts";
import {
  secretFieldName as name,
  secretParameter,
  secretParameterName as parameter,
} from "./secret-names.ts";

/** The headers of a request whose values are kept: whatever else a program sends may be a secret. */
const keptOfRequests = /^(?:accept|content-type|anthropic-version|anthropic-beta|openai-beta)$/;

/** The headers of an answer that are kept. */
const keptOfAnswers =
  /^(?:content-(?:type|disposition|language|range)|retry-after(?:-ms)?|x-should-retry|(?:x-)?request-id|location|link|etag|last-modified)$|ratelimit/;

/** Values within text that are secrets for the name before them, the second group: in JSON, also escaped; in forms and URLs; in parts. */
const namedValues = [
  `((\\\\{0,7}["'])${name}\\2\\s{0,8}:\\s{0,8}\\2)((?:(?!\\2)(?:\\\\[^]|[^]))+)`,
  `((\\\\{0,7}["'])${name}\\2\\s{0,8}:\\s{0,8})(\\d{4,})`,
  // An apostrophe is written as it is, and ends a quotation where nothing follows that could be part of a value.
  `((?:^|[?&;\\s"'])()${parameter}=)((?:[^\\s&;"'<>\\\\]|'(?=[\\w%.~*()!'+-]))+)`,
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
  /** The same, step by step: between two of them others may have their turn. */
  piecesInSteps(pieces: readonly Uint8Array[]): Generator<void, readonly Uint8Array[]>;
}

/** Redacts `secrets`, those that `headers` carry and those in the environment; redacting again changes nothing. */
export function redaction(secrets: readonly string[] = [], headers: Headers = new Headers()): Redaction {
  const credentials = [...secrets, ...secretsIn(headers)];
  const values = [...credentials, ...environmentSecrets()].filter((secret) => secret.length >= 6);
  const forms = [...new Set(values.flatMap(allFormsOf))].sort((a, b) => b.length - a.length);
  const wholeValues = new Set(values);
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
    return encoded === undefined ? null : redactJson(JSON.parse(encoded), { text, values: wholeValues });
  };
  function* piecesInSteps(pieces: readonly Uint8Array[]): Generator<void, readonly Uint8Array[]> {
    const binary = pieces.map(toBinary);
    const frames = yield* redactFrames(binary, (texts) => redactPieces(texts, inText, maskPieces));
    yield;
    return redactPieces(frames, inBytes, maskPieces).map((piece, index) =>
      piece === binary[index] ? (pieces[index] ?? fromBinary(piece)) : fromBinary(piece),
    );
  }
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
          // Addresses carry tokens, and no word before them says so.
          .map(([name, value]) => [name, redactKeys(text(value))]),
      ),
    texts: (pieces) => redactPieces(pieces, inText, maskPieces),
    pieces: (pieces) => lastOf(piecesInSteps(pieces)),
    piecesInSteps,
  };
}

/** What steps come to that need no pause. */
function lastOf<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
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

/** Where a part of a form begins that has a name (RFC 7578). */
const partStart = /(?:^|\n)--([^\r\n]{1,200})\r?\ncontent-disposition:[^\r\n]{0,1000}?;\s*name=/i;
const partName = new RegExp(
  `^content-disposition:[^\\r\\n]{0,1000}?;\\s*name="?${parameter}(?:"|;|\\s|$)`,
  "im",
);

/** The contents of a form's parts that are named like secrets, of one line or more, masked. */
function redactParts(text: string, maskOf: (secret: string) => string): string {
  const boundary = partStart.exec(text)?.[1];
  if (boundary === undefined) return text;
  const delimiter = `--${boundary}`;
  return text
    .split(delimiter)
    .map((part) => {
      const [, head, content = "", end = ""] =
        /^(\r?\n[^]{0,4000}?\r?\n\r?\n)([^]*?)(\r?\n)?$/.exec(part) ?? [];
      return head !== undefined && content !== "" && partName.test(head)
        ? head + maskOf(content) + end
        : part;
    })
    .join(delimiter);
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
    redactParts(original.replaceAll(pattern, maskOf), maskOf),
  );
}

/** A piece of a path that is random all through: a gateway's key, or an account. Ids of a provider's objects say of what. */
const keySegment = /^(?=[^]*\d)(?:[a-z\d]{20,}|(?![a-z]{2,12}[-_])[\w-]{32,})$/i;

function redactUrl(url: string, text: (original: string) => string): string {
  if (!URL.canParse(url)) return text(url);
  const parsed = new URL(url);
  // An address may be in another one, with its escapes escaped.
  const parameters = [...parsed.searchParams].map(([name, value]): [string, string] => [
    name,
    secretParameter.test(name) ? mask : redactUrl(value, text),
  ]);
  const isChanged = [...parsed.searchParams].some(([, value], index) => value !== parameters[index]?.[1]);
  if (isChanged) parsed.search = new URLSearchParams(parameters).toString();
  if (parsed.username !== "") parsed.username = "redacted";
  if (parsed.password !== "") parsed.password = "redacted";
  parsed.pathname = parsed.pathname
    .split("/")
    .map((segment) => (keySegment.test(segment) ? mask : segment))
    .join("/");
  return text(parsed.href).replaceAll(encodeURIComponent(mask), mask);
}

/** Each piece stays as long as it is. */
function redactPieces(pieces: readonly string[], pattern: RegExp, maskPieces: MaskPieces): readonly string[] {
  const maskOf = ({ length }: string): string => mask.padEnd(length, "*").slice(0, length);
  const clean = maskPieces(redactText(pieces.join(""), pattern, maskOf), maskOf);
  let from = 0;
  return pieces.map(({ length }) => clean.slice(from, (from += length)));
}

import type { JsonValue } from "../../base/util/json.ts";
import { fromBinary, toBinary } from "./chunks.ts";

/** What stands in the place of a secret. */
export const mask = "[redacted]";

/** The headers of a request whose values are kept: whatever else a program sends may be a secret. */
const keptOfRequests = /^(?:accept|content-type|anthropic-version|anthropic-beta|openai-beta)$/;

/** The headers of an answer that are kept. */
const keptOfAnswers = /^(?:content-type|retry-after(?:-ms)?|x-should-retry|(?:x-)?request-id)$|ratelimit/;

/** Fields of bodies whose values are secrets. */
const secretField =
  /^(?:authorization(?:_token)?|(?:x[-_])?api[-_]?key|(?:auth|access|refresh|id)_token|(?:client_)?secret|password|cookie)$/i;

/** Parameters of URLs whose values are secrets. */
const secretParameter = new RegExp(`${secretField.source}|^(?:key|token|sig|signature)$`, "i");

/** The names of environment variables that hold secrets. */
const secretVariable = /(?:KEY|TOKEN|SECRET|PASSWORD)$/i;

/** Keys and names of accounts as providers write them: `sk-...`, `Bearer ...`, `org-...`. */
const keyLike = [
  String.raw`\b(?:sk|pk|gsk|xai|hf|nvapi)[-_](?=[\w*.-]*[\d*])[\w*.-]{8,}`,
  String.raw`\bAIza[\w-]{20,}`,
  String.raw`\bBearer\s+(?=[\w*.~+/=-]*\d)[\w*.~+/=-]{8,}`,
  String.raw`\b(?:org-|proj_)(?=\w*\d)\w{8,}`,
];

/** Takes the secrets out of what is written down. */
export interface Redaction {
  text(text: string): string;
  /** Whole values of fields that hold secrets, and whatever looks like one within other texts. */
  json(value: unknown): JsonValue;
  url(url: string): string;
  requestHeaders(headers: Headers): Record<string, string>;
  answerHeaders(headers: Iterable<readonly [string, string]>): Record<string, string>;
  /** Pieces of one answer, each as long as before: a secret may lie in several. */
  pieces(pieces: readonly Uint8Array[]): readonly Uint8Array[];
}

/** Knows the secrets given, those that `headers` carry and those in the environment. */
export function redaction(secrets: readonly string[] = [], headers: Headers = new Headers()): Redaction {
  const values = [...secrets, ...secretsIn(headers), ...environmentSecrets()]
    .filter((secret) => secret.length >= 6)
    .sort((a, b) => b.length - a.length);
  const inText = patternOf(values);
  const text = (original: string): string => original.replace(inText, mask);
  const json = (value: unknown): JsonValue => {
    const encoded: string | undefined = JSON.stringify(value);
    return encoded === undefined
      ? null
      : JSON.parse(encoded, (name, item: unknown) => {
          if (typeof item !== "string") return item;
          return secretField.test(name) && item !== "" ? mask : text(item);
        });
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
    pieces: (pieces) =>
      redactPieces(pieces, patternOf(values.map((secret) => toBinary(new TextEncoder().encode(secret))))),
  };
}

/** The secrets that a request's headers carry. */
export function secretsIn(headers: Headers): string[] {
  return [...headers].flatMap(([name, value]) => {
    if (!/authorization|cookie|key|secret|token|organization|project/i.test(name)) return [];
    return [value, value.replace(/^(?:Bearer|Basic)\s+/i, "")];
  });
}

function environmentSecrets(): string[] {
  return Object.entries(globalThis.process?.env ?? {}).flatMap(([name, value]) =>
    secretVariable.test(name) && value !== undefined && value.length >= 8 ? [value] : [],
  );
}

function patternOf(secrets: readonly string[]): RegExp {
  const escaped = secrets.map((secret) => secret.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`));
  return new RegExp([...escaped, ...keyLike].join("|"), "g");
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

function redactPieces(pieces: readonly Uint8Array[], pattern: RegExp): readonly Uint8Array[] {
  const whole = pieces.map(toBinary).join("");
  const clean = whole.replace(pattern, (secret) => mask.padEnd(secret.length, "*").slice(0, secret.length));
  if (clean === whole) return pieces;
  let from = 0;
  return pieces.map(({ length }) => {
    from += length;
    return fromBinary(clean.slice(from - length, from));
  });
}

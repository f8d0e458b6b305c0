import { SkeinError } from "../errors.ts";
import { isPlainObject } from "../base/util/json.ts";
import { mask, redactKeys } from "../base/util/redact-keys.ts";
import { pieceMasker } from "./secret-pieces.ts";
import { isError } from "../base/util/is-error.ts";

/** Headers whose values are secrets, whatever the provider. */
export const secretHeader: RegExp = /auth|cookie|key|secret|token|passw|credential|signature|session|jwt/i;

/** A piece of a path that no person has written: an account's id, or a key. */
const secretSegment = /^(?=[^]*\d)(?![^]*[.:])[\w%~+-]{12,}$|^[\w-]{32,}$/;

/** One that is random all through: no part of it is a word that others use, such as the name of a model. */
const randomSegment = /^(?=[^]*\d)[a-z\d]{20,}$/i;

/** Takes secrets out of a text. */
export type Redact = (text: string) => string;

/**
 * Makes the function that masks whatever looks like a key, the values of `headers` that are keys, and what looks like one in the path of
 * `url`; also as URLs, JSON and pages write them, whole or in pieces.
 */
export function redactor(headers: Readonly<Record<string, string>>, url?: string): Redact {
  const segments = segmentsLikeKeys(url);
  const forms = distinctForms([...secretsIn(headers), ...segments].filter((value) => value.length >= 4));
  const longestFirst = forms.sort((a, b) => b.length - a.length);
  const random = segments.filter((segment) => randomSegment.test(segment));
  const maskPieces = pieceMasker(
    distinctForms([...bareSecretsIn(headers), ...random].filter((value) => value.length >= shortestKey)),
  );
  return (text) =>
    redactKeys(maskPieces(longestFirst.reduce((clean, form) => clean.replaceAll(form, mask), text)));
}

/** How many short texts are remembered, and how long they may be. */
const mostRemembered = 256;

/** The same for short texts that come again and again, such as the headers of answers. */
export function remembering(redact: Redact): Redact {
  const masked = new Map<string, string>();
  return (text) => {
    const earlier = masked.get(text);
    if (earlier !== undefined) return earlier;
    const clean = redact(text);
    if (text.length > mostRemembered) return clean;
    if (masked.size >= mostRemembered) masked.clear();
    masked.set(text, clean);
    return clean;
  };
}

/** The shortest secret whose pieces are masked. */
export const shortestKey = 12;

function distinctForms(secrets: readonly string[]): string[] {
  return [...new Set(secrets.flatMap(formsOf))];
}

/** The secrets in headers without the words around them, such as `Bearer`, which other texts have too. */
function bareSecretsIn(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers)
    .filter(([name]) => secretHeader.test(name))
    .flatMap(([name, value]) => {
      const secrets = withinHeader(name, value);
      return secrets.length > 0 ? secrets : [value];
    });
}

/** The values of the headers that are named like secrets, and the secrets within each. */
export function secretsIn(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers)
    .filter(([name]) => secretHeader.test(name))
    .flatMap(([name, value]) => [value, ...withinHeader(name, value)]);
}

function withinHeader(name: string, value: string): string[] {
  return /cookie/i.test(name) ? cookiesIn(value) : credentialsIn(value);
}

/** A scheme (RFC 9110, section 11.4) and one credential: of schemes that are not known, one long enough to be no word. */
const authorization = /^(Bearer|Basic|Token|Digest)\s+([^]*)$|^([\w.+-]{1,40})\s+(\S{8,})$/i;

/** The secrets within the value of a header: without its scheme, and what a Basic scheme encodes. */
export function credentialsIn(value: string): string[] {
  const [, scheme = "", words, , credential] = authorization.exec(value) ?? [];
  const token = words ?? credential ?? "";
  if (token === "") return [];
  if (scheme.toLowerCase() !== "basic") return [token];
  try {
    const login = atob(token);
    return [token, login, login.slice(login.indexOf(":") + 1)];
  } catch {
    return [token];
  }
}

/** The values of the pairs in a header of cookies. */
function cookiesIn(value: string): string[] {
  return value.split(";").map((pair) => pair.slice(pair.indexOf("=") + 1).trim());
}

/** A value as it is, and as URLs, forms, JSON, pages and base64 write it. */
export function formsOf(value: string): string[] {
  const url = encodeURIComponent(value.toWellFormed());
  const json = JSON.stringify(value).slice(1, -1);
  const page = value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
  const form = new URLSearchParams({ "": value }).toString().slice(1);
  const encoded = [url, url.replaceAll("%20", "+"), form];
  const lowered = encoded.map((each) => each.replace(/%../g, (code) => code.toLowerCase()));
  const inJson = [json, json.replaceAll("/", "\\/"), JSON.stringify(json).slice(1, -1)];
  return [value, ...encoded, ...lowered, ...inJson, page, ...base64Forms(value)];
}

/**
 * What base64 has of a text wherever the value is in it, in both alphabets: by how many bytes stand before, without the characters at
 * its ends, which depend on its neighbours.
 */
function base64Forms(value: string): string[] {
  const bytes = String.fromCharCode(...new TextEncoder().encode(value));
  return ["", "-", "--"].flatMap((before) => {
    const base64 = btoa(before + bytes);
    const inner = base64.slice(Math.ceil(before.length * 1.3), Math.floor((before + bytes).length / 0.75));
    return [inner, inner.replaceAll("+", "-").replaceAll("/", "_")];
  });
}

/** The segments of an address's path that look like keys. */
export function segmentsLikeKeys(url: string | undefined): readonly string[] {
  return segmentsOf(url).filter((segment) => secretSegment.test(segment));
}

function segmentsOf(url: string | undefined): string[] {
  return url !== undefined && URL.canParse(url) ? new URL(url).pathname.split("/") : [];
}

/** An address for people: without its query, and without what looks like a key in its path. */
export function shownAddress(url: string): string {
  const { origin } = new URL(url);
  return (
    origin +
    segmentsOf(url)
      .map((segment) => (secretSegment.test(segment) ? mask : segment))
      .join("/")
  );
}

/** How much of a text is looked at for an excerpt, beyond its length: no secret is cut before it is masked. */
const margin = 4096;

/** The beginning of a text, without its secrets. They are masked first, since half a key is none that can be recognised. */
export function excerptOf(text: string, length: number, redact: Redact): string {
  const clean = redact(text.slice(0, length + margin));
  const start = text.length > length + margin ? clean.slice(0, -margin / 2) : clean;
  return start.length > length ? `${start.slice(0, length)}…` : start;
}

/** The most errors that are looked at, causes and aggregated errors included. */
const mostErrors = 32;

/** What may be shown of a foreign error. Clients add requests and headers to theirs, and with them the key. */
const shownFields = ["name", "message", "stack", "code", "errno", "syscall", "status", "cause", "errors"];

/**
 * The error itself if all that it holds can be visited and nothing of it looks like a key, else a copy as of `copyError`. Never throws
 * itself.
 */
export function withoutSecrets(error: unknown): unknown {
  try {
    return isClean(error) ? error : copyError(error, redactKeys);
  } catch {
    return unshowable();
  }
}

/** The most values of an error that are looked at before it is copied. */
const mostValues = 1000;

/** Whether an error, with all that hangs on it, has nothing that looks like a key, and nothing whose contents cannot be visited. */
function isClean(error: unknown): boolean {
  const visited = new Set<unknown>();
  const open: unknown[] = [error];
  let errorCount = 0;
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === "string" && redactKeys(value) !== value) return false;
    if (typeof value === "function" || (typeof value === "object" && value !== null)) {
      if (visited.has(value)) continue;
      visited.add(value);
      errorCount += isError(value) ? 1 : 0;
      if (visited.size > mostValues || errorCount > mostErrors || !isPlain(value)) return false;
      for (const [name, { value: field }] of Object.entries(Object.getOwnPropertyDescriptors(value))) {
        // As JSON would write it: a secret may have the form of a word, and only its name says that it is one.
        if (typeof field === "string" && redactKeys(`"${name}":"x"`) !== `"${name}":"x"`) return false;
        // Skein's own errors have clean fields, which may be as long as a run's state.
        if (!(value instanceof SkeinError) || name === "cause") open.push(field);
      }
    }
  }
  return true;
}

/** Whether an object is what JSON has, or an error, with no accessors and no way of its own to show itself. */
function isPlain(value: object): boolean {
  if (Array.isArray(value) || isPlainObject(value)) return hasOnlyData(value);
  if (!isError(value)) return false;
  if (value instanceof SkeinError) return true;
  for (let each: unknown = Object.getPrototypeOf(value); isError(each); each = Object.getPrototypeOf(each))
    if (!hasOnlyData(each) || Object.hasOwn(each, "toJSON")) return false;
  return hasOnlyData(value);
}

function hasOnlyData(value: object): boolean {
  const fields = Object.entries(Object.getOwnPropertyDescriptors(value));
  // Where the stack is an accessor, it is the runtime's.
  const isData = fields.every(([name, field]) => "value" in field || name === "stack");
  return isData && Object.getOwnPropertySymbols(value).length === 0;
}

/** A copy of a foreign error with what may be shown of it; its causes and aggregated errors are copied alike. Never throws itself. */
export function copyError(error: unknown, redact: Redact): unknown {
  try {
    return copyWithin(error, redact);
  } catch {
    return unshowable();
  }
}

function unshowable(): Error {
  return new Error("something that cannot be shown");
}

function copyWithin(error: unknown, redact: Redact): unknown {
  let left = mostErrors;
  const copyOf = (source: unknown): unknown => {
    if (typeof source !== "object" || source === null)
      return typeof source === "string" ? redact(source) : source;
    if (left-- <= 0) return undefined;
    const copy = new Error("something that is not an error");
    for (const key of shownFields) {
      const value: unknown = Reflect.get(source, key);
      const isShown = key === "cause" || /string|number/.test(typeof value);
      const visible = Array.isArray(value)
        ? value.slice(0, mostErrors).map(copyOf)
        : isShown && copyOf(value);
      if (visible !== undefined && visible !== false) Reflect.set(copy, key, visible);
    }
    return copy;
  };
  return copyOf(error);
}

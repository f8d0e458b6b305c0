import { hasInvisible, withoutInvisible } from "../base/util/clean-text.ts";
import { defineOwn } from "../base/util/snapshot.ts";
import { parseExactJson } from "../base/util/exact-json.ts";
import { isPlainObject } from "../base/util/json.ts";
import { mask } from "../base/util/redact-keys.ts";
import { formsOf, secretsIn } from "./secrets.ts";

/** Takes the secrets of a request out of what its server answers. */
export interface SecretHider {
  /** A text without them, however JSON, addresses and pages would escape their characters. */
  text(text: string): string;
  /** A value of JSON without them: in its texts, in the names of its members, and in numbers. */
  value(value: unknown): unknown;
  /** A text that may be JSON: unchanged where nothing is to be hidden. */
  json(text: string): string;
}

/**
 * What hides the secrets.
 * @param headers headers that the program sends itself: those that are named like secrets are.
 * @param shortest secrets of fewer characters could be anything.
 */
export function secretHider(
  secrets: readonly string[],
  headers: Readonly<Record<string, string>>,
  shortest: number,
): SecretHider {
  const all = [...secrets, ...secretsIn({ ...headers, ...withNames(secrets) })];
  const long = all.filter((secret) => secret.length >= shortest);
  const forms = longestFirst(long.flatMap(formsOf));
  const plain = plainForms(forms, shortest);
  // An answer is mostly short texts, which cannot hold any.
  const least = Math.min(...[...forms, ...plain].map(({ length }) => length));
  const hideWritten = (text: string): string => {
    if (text.length < least) return text;
    const clean = forms.reduce(
      (rest, form) => (rest.includes(form) ? rest.replaceAll(form, mask) : rest),
      text,
    );
    return hideEscaped(clean, plain);
  };
  // Characters that no reader sees are taken out later, which would put a secret together again.
  const hideText = (text: string): string => {
    const hidden = hideWritten(text);
    if (!hasInvisible(hidden)) return hidden;
    const visible = withoutInvisible(hidden);
    const clean = hideWritten(visible);
    return clean === visible ? hidden : clean;
  };
  const hideValue = (value: unknown): unknown => {
    if (typeof value === "string") return hideText(value);
    if (typeof value === "number") return forms.includes(String(value)) ? mask : value;
    if (Array.isArray(value)) return value.map(hideValue);
    if (!isPlainObject(value)) return value;
    const hidden: Record<string, unknown> = {};
    for (const [name, member] of Object.entries(value)) defineOwn(hidden, hideText(name), hideValue(member));
    return hidden;
  };
  const hideJson = (text: string): string => {
    try {
      const value = parseExactJson(text);
      const hidden = JSON.stringify(hideValue(value));
      return hidden === JSON.stringify(value) ? text : hidden;
    } catch {
      // Not JSON, or cut off: what it is hides nothing.
      return hideText(text);
    }
  };
  return { text: hideText, value: hideValue, json: hideJson };
}

/** Secrets as headers, so that what a Basic scheme encodes counts, too. */
function withNames(secrets: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(secrets.map((secret, index) => [`secret-${index}`, secret]));
}

function longestFirst(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].toSorted((left, right) => right.length - left.length);
}

/** Escapes of JSON, of addresses and of pages; a backslash that escapes something else. */
const escaped =
  /\\+u([\da-f]{4})|\\+|%([\da-f]{2})|&#(?:x0{0,6}([\da-f]{1,4})|0{0,6}(\d{1,5}));|&(quot|amp|lt|gt|apos);/gi;

const entities: Readonly<Record<string, string>> = { quot: '"', amp: "&", lt: "<", gt: ">", apos: "'" };

function unescaped([whole, json, percent, hex, decimal, entity]: readonly (string | undefined)[]): string {
  const code = json ?? percent ?? hex;
  const char =
    entity === undefined
      ? code === undefined && decimal === undefined
        ? ""
        : String.fromCharCode(code === undefined ? Number(decimal) : Number.parseInt(code, 16))
      : (entities[entity.toLowerCase()] ?? whole ?? "");
  // Backslashes count nowhere: texts within texts double them.
  return char === "\\" ? "" : char;
}

/** A text without its escapes and backslashes. */
function plainText(text: string): string {
  return text.replaceAll(escaped, (...match: (string | undefined)[]) => unescaped(match.slice(0, 6)));
}

/** What the forms of secrets read as once their escapes are undone, without those that could be anything. */
export function plainForms(forms: readonly string[], shortest: number): readonly string[] {
  return longestFirst(forms.map((form) => plainText(form))).filter((form) => form.length >= shortest);
}

/** Masks in a text whatever reads as one of `plain` once its escapes are undone. */
export function hideEscaped(
  text: string,
  plain: readonly string[],
  maskOf: (secret: string) => string = () => mask,
): string {
  if (!/[\\%&]/.test(text)) return text;
  const whole = plainText(text);
  const spans = plain.flatMap((secret) => placesOf(secret, whole));
  if (whole === text || spans.length === 0) return text;
  const { starts, stops } = charsOf(text);
  let hidden = "";
  let from = 0;
  for (const [start, stop] of spans.toSorted(([left], [right]) => left - right)) {
    const begin = starts[start] ?? text.length;
    const end = stops[stop - 1] ?? text.length;
    if (begin >= from) hidden += text.slice(from, begin) + maskOf(text.slice(begin, end));
    from = Math.max(from, end);
  }
  return hidden + text.slice(from);
}

function placesOf(secret: string, text: string): readonly (readonly [start: number, stop: number])[] {
  const places: [number, number][] = [];
  for (let at = text.indexOf(secret); at !== -1; at = text.indexOf(secret, at + secret.length))
    places.push([at, at + secret.length]);
  return places;
}

/** Where each character of the plain text starts and ends in the text itself. */
function charsOf(text: string): { readonly starts: Uint32Array; readonly stops: Uint32Array } {
  const starts = new Uint32Array(text.length);
  const stops = new Uint32Array(text.length);
  let count = 0;
  let from = 0;
  const add = (start: number, stop: number): void => {
    starts[count] = start;
    stops[count++] = stop;
  };
  for (const match of text.matchAll(escaped)) {
    for (; from < match.index; from++) add(from, from + 1);
    from += match[0].length;
    if (unescaped(match) !== "") add(match.index, from);
  }
  for (; from < text.length; from++) add(from, from + 1);
  return { starts, stops };
}

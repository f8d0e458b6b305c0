import { jsonEqual } from "../json-value.ts";
import { isObject } from "../../base/util/json.ts";
import type { ParsedJson, ValuePath } from "../parse-json.ts";
import { newCursor, refuse, skipTrivia, Unreadable } from "./cursor.ts";
import { readValue } from "./read-value.ts";

/** How many times a document may be a string within a string. */
const maxEncodings = 3;

/**
 * Reads what `JSON.parse` cannot read, or not with certainty: trailing commas, single and curly quotes, keys without quotes,
 * comments, Python's literals, numbers such as `+3` and `.5`, an empty object before the real one, raw control characters in strings, missing closing brackets, fences and prose around, a document
 * in a string, one document several times. A valid document has the value that `JSON.parse` returns, without keys `__proto__`.
 *
 * Which objects and arrays have no closing bracket is part of the result: the caller knows the schema and decides about them.
 * Nothing else is guessed: text that can be read in two ways, or ends within a value, is a problem with its place. So is a key
 * that occurs twice with different values, a number that cannot be represented, and nesting deeper than 512 levels. Takes
 * time linear in the length of the text.
 */
export function readDocument(text: string): ParsedJson {
  return read(text, 0);
}

function read(raw: string, encodings: number): ParsedJson {
  const text = withoutFence(raw);
  const whereOf = (before: string): string => {
    const lines = before.split("\n");
    const column = (lines.at(-1)?.length ?? 0) + 1;
    return `(line ${lines.length}, column ${column}${encodings > 0 ? " of the text in the string" : ""})`;
  };
  try {
    const { value, unclosed } = unescaped(text) ?? readScalar(text) ?? readOnlyDocument(text);
    const isEncoded = typeof value === "string" && encodings < maxEncodings && /^\s*["'“`{]/.test(value);
    if (isEncoded) return read(value, encodings + 1);
    if (!unclosed?.length) return { ok: true, value };
    return { ok: true, value, unclosed: { paths: unclosed, where: whereOf(text.trimEnd()) } };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    const problem = `${error.message} ${whereOf(text.slice(0, error.at))}`;
    return { ok: false, problem, ...(encodings === 0 && { at: error.at }) };
  }
}

/** Without the fence at the end, so that brackets which are missing before it are missing at the end. */
function withoutFence(text: string): string {
  const trimmed = text.trimEnd();
  const isFenced = trimmed.endsWith("```") && trimmed.indexOf("```") < trimmed.length - 3;
  return isFenced ? trimmed.slice(0, -3) : text;
}

/** A value that was read. */
interface Found {
  readonly value: unknown;
  /** As in `Cursor`. */
  readonly unclosed?: readonly ValuePath[];
}

/** The document of a text such as `{\"a\":1}`: one in a string, without the quotes around. */
function unescaped(text: string): Found | undefined {
  if (!/^\s*\{\s*\\"/.test(text)) return undefined;
  // If only the quotes are escaped, two backslashes stand for one.
  if (text.replaceAll(String.raw`\\\"`, "").includes("\\\\")) throw new Unreadable(twoReadings, 0);
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  const string = text.replace(/[\0-\x1F]/g, (character) => JSON.stringify(character).slice(1, -1));
  try {
    return { value: JSON.parse(`"${string}"`) };
  } catch {
    throw new Unreadable("not valid JSON: only some of the quotes are escaped", 0);
  }
}

const twoReadings = "not valid JSON: the backslashes in this string can be read in two ways";

/** The value of a text that is a string, a number or a word, and nothing else. */
function readScalar(text: string): Found | undefined {
  // A scalar that is the whole text is complete.
  const cursor = newCursor(`${text.trim()}\n`);
  if (/[[{]/.test(cursor.text.charAt(0))) return undefined;
  try {
    const value = readValue(cursor, 0);
    if (cursor.at < cursor.text.length - 1) return undefined;
    // In a string literal of a program two backslashes are one, in a document with quotes put around they are two.
    if (typeof value !== "string" || text.trimStart().startsWith('"') || !text.includes("\\\\"))
      return { value };
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
  throw new Unreadable(twoReadings, 0);
}

/** The one object or array that the text holds, once or several times, among prose and comments. */
function readOnlyDocument(text: string): Found {
  const cursor = newCursor(text);
  skipTrivia(cursor, "before-key");
  const commented = objectInLine(text.slice(0, cursor.at));
  if (commented >= 0) throw new Unreadable("not valid JSON: this may be a comment or an object", commented);
  const opening = /[[{]/g;
  let best: Found | undefined;
  let end = 0;
  for (;;) {
    opening.lastIndex = cursor.at;
    const start = opening.test(text) ? opening.lastIndex - 1 : text.length;
    if (start < text.length || best) checkProse(text, cursor.at, start, best !== undefined);
    if (start === text.length) return best ?? refuse(cursor, "expected an object");
    cursor.at = start;
    const value = readValue(cursor, 0);
    if (best && !isPlaceholder(best.value, text.slice(end, start)) && !jsonEqual(best.value, value)) {
      throw new Unreadable(secondObject, start);
    }
    best = { value, unclosed: cursor.unclosed };
    end = cursor.at;
    // Surplus closing brackets are harmless.
    if (cursor.at >= cursor.tail) return best;
  }
}

/** Where an object stands behind `#` or `//`: a model may have written it as a comment, or under a heading. */
function objectInLine(comments: string): number {
  return comments.replace(/\/\*[^]*?\*\//g, (comment) => " ".repeat(comment.length)).indexOf("{");
}

const secondObject = "not valid JSON: a second object, different from the first, begins here";

/** Whether an object is the empty one that some gateways begin the arguments with, right before the real one. */
function isPlaceholder(value: unknown, between: string): boolean {
  return isObject(value) && Object.keys(value).length === 0 && between.trim() === "";
}

/** Throws if the text outside of documents, from `start` to `end`, may be part of the arguments. */
function checkProse(text: string, start: number, end: number, isBehind: boolean): void {
  const prose = text.slice(start, end).trim();
  const isBefore = end < text.length;
  if (isBehind && isBefore && /^[,;]?$/.test(prose)) return;
  const isPart =
    /[\]}="“”]|\/\*/.test(prose) ||
    (isBehind && /^(?:[,:]|-?\d)/.test(prose)) ||
    (isBefore && prose.endsWith(",")) ||
    /:[^\S\n]*(?:-?\d[\d.,]*|true|false|null|none)[^\S\n]*$/im.test(prose);
  if (isPart) throw new Unreadable("not valid JSON: the text around the object may be a part of it", start);
}

import { isObject } from "../base/util/json.ts";

/** The deepest nesting of objects and arrays that is read. */
export const maxDepth = 512;

const quote = 0x22;

/** Keys and indexes from the root to a value. */
export type ValuePath = readonly (string | number)[];

/** The brackets that a text lacks: members may be missing with them. */
export interface Unclosed {
  /** The objects and arrays that lack theirs, innermost first. */
  readonly paths: readonly ValuePath[];
  /** Where the text ends, such as `"(line 1, column 12)"`. */
  readonly where: string;
}

/** What a text holds, or why nothing of it may be used. */
export type ParsedJson =
  | { readonly ok: true; readonly value: unknown; readonly unclosed?: Unclosed }
  | {
      readonly ok: false;
      readonly problem: string;
      /** Where in the text, in UTF-16 units, if it is not within a string. */
      readonly at?: number;
    };

/**
 * The value of a text that is JSON and was read as it was written; own keys `__proto__` are dropped at every depth.
 * `undefined` for all else: what is not JSON, is nested deeper than 512 levels, may have one key twice (`JSON.parse` keeps the
 * last), or has a number that may have lost digits. `readDocument` of `lenient/` says which.
 */
export function parsePlain(text: string): { readonly value: unknown } | undefined {
  if (tiny.test(text)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  // There may be more such colons, within strings, but never fewer than members.
  return members(value, 0) === colonsAfterQuotes(text) ? { value } : undefined;
}

/** Where a number may be so close to 0 that it becomes 0. */
const tiny = /[eE]-0*[1-9]\d\d|\.0{99}/;

/** How many colons follow a quote, with nothing but whitespace between them. */
function colonsAfterQuotes(text: string): number {
  let count = 0;
  for (let at = text.indexOf(":"); at >= 0; at = text.indexOf(":", at + 1)) {
    let before = at - 1;
    while (isSpace(text.charCodeAt(before))) before--;
    if (text.charCodeAt(before) === quote) count++;
  }
  return count;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** Whether the number is sure to be the one that was written: neither infinite nor an integer that may have lost digits. */
export function isExact(number: number): boolean {
  return Number.isInteger(number) ? Number.isSafeInteger(number) : Number.isFinite(number);
}

/**
 * How many members the objects of a value have; `NaN` if it is too deep or has an inexact number. Drops the keys in place:
 * `JSON.parse` made the value and nobody else has it.
 */
function members(value: unknown, depth: number): number {
  if (typeof value === "number") return isExact(value) ? 0 : Number.NaN;
  if (typeof value !== "object" || value === null) return 0;
  if (depth >= maxDepth) return Number.NaN;
  let count = 0;
  if (isObject(value)) {
    for (const key of Object.keys(value)) {
      count += 1 + members(value[key], depth + 1);
      if (key === "__proto__") Reflect.deleteProperty(value, key);
    }
  } else if (Array.isArray(value)) {
    for (const item of value) count += members(item, depth + 1);
  }
  return count;
}

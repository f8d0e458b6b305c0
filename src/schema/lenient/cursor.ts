import type { ValuePath } from "../parse-json.ts";
import { preview } from "../words.ts";

/** A text while it is read. */
export interface Cursor {
  readonly text: string;
  /** From here on there are closing brackets and whitespace only: no value can follow any more. */
  readonly tail: number;
  /** How much has been read, in UTF-16 units. */
  at: number;
  /** Keys and indexes from the root to the value at the cursor. */
  readonly path: (string | number)[];
  /** The objects and arrays whose own closing bracket is missing, innermost first. */
  readonly unclosed: ValuePath[];
}

/** Thrown, and caught by `readDocument`, for a text of which nothing may be used. */
export class Unreadable extends Error {
  /** Where in the text, in UTF-16 units. */
  readonly at: number;

  constructor(problem: string, at: number) {
    super(problem);
    this.at = at;
  }
}

/** Begins to read `text`. */
export function newCursor(text: string): Cursor {
  let tail = text.length;
  while (tail > 0 && /[\s\]}]/.test(text.charAt(tail - 1))) tail--;
  return { text, tail, at: 0, path: [], unclosed: [] };
}

/** Gives up: `problem` says what was expected instead of what stands at the cursor. */
export function refuse({ text, at }: Cursor, problem: string): never {
  const received = at < text.length ? preview(text.slice(at, at + 12)) : "the end of the text";
  throw new Unreadable(`not valid JSON: ${problem}, found ${received}`, at);
}

/** Where the trivia stands: a comment is distinguished from data by what is around it. */
export type Surroundings = "before-key" | "before-value" | "after-value";

const whitespace = /\s*/y;

/** Passes whitespace and comments: `//`, `#` and `/*`. */
export function skipTrivia(cursor: Cursor, surroundings: Surroundings): void {
  const { text } = cursor;
  for (;;) {
    const start = cursor.at;
    whitespace.lastIndex = start;
    whitespace.test(text);
    cursor.at = whitespace.lastIndex;
    const marker = markerAt(text, cursor.at);
    if (marker === undefined) return;
    const [close, missing] = marker === "/*" ? ["*/", "the comment is not closed"] : ["\n", lastLine];
    const end = text.indexOf(close, cursor.at + marker.length);
    if (end < 0) refuse(cursor, missing);
    const body = text.slice(cursor.at + marker.length, end);
    if (!isComment(marker, body, surroundings, cursor.at > start)) {
      refuse(cursor, "this may be a comment or a part of a value");
    }
    cursor.at = end + close.length;
  }
}

const lastLine = "a comment runs to the end of the text";

function markerAt(text: string, at: number): string | undefined {
  if (text[at] === "#") return "#";
  return text.startsWith("//", at) || text.startsWith("/*", at) ? text.slice(at, at + 2) : undefined;
}

/**
 * Whether it can be nothing but a comment. `[#fff` and `[//server` may be values without quotes, `"echo "// "` the rest of
 * a string whose quotes are not escaped, `5 // 2` a division.
 */
function isComment(marker: string, body: string, surroundings: Surroundings, isApart: boolean): boolean {
  if (surroundings === "before-key") return true;
  if (surroundings === "before-value") return marker === "/*" || /^(?:\s|$)/.test(body);
  return isApart && !/["“”‘]|(?<!\p{L})['’]|['’](?!\p{L})|^\s*[-\d.(]/u.test(body);
}

import { type Cursor, refuse, Unreadable } from "./cursor.ts";

interface Quotes {
  readonly close: string;
  /** What goes on without ending the string or making it doubtful. */
  readonly run: RegExp;
}

/** By the opening quote. Within curly quotes, a straight one may be either text or the end: it is refused. */
const quotes: ReadonlyMap<string, Quotes> = new Map([
  ['"', { close: '"', run: /[^"\\]*/y }],
  ["'", { close: "'", run: /[^'\\]*/y }],
  ["“", { close: "”", run: /[^“”"\\]*/y }],
  ["‘", { close: "’", run: /[^‘’'\\]*/y }],
]);

/** JSON's escapes, and the apostrophe's, on which JavaScript and Python agree. */
const escapes: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ["\\", "\\"],
  ["/", "/"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);

/** Whether a string begins at the cursor. */
export function atString({ text, at }: Cursor): boolean {
  return quotes.has(text.charAt(at));
}

/** Reads the string that begins at the cursor. Control characters in it stand for themselves. */
export function readString(cursor: Cursor): string {
  const { text } = cursor;
  const start = cursor.at;
  const kind = quotes.get(text.charAt(start));
  if (!kind) return refuse(cursor, "expected a string");
  const { close, run } = kind;
  let value = "";
  cursor.at++;
  for (;;) {
    const from = cursor.at;
    run.lastIndex = from;
    run.test(text);
    cursor.at = run.lastIndex;
    value += text.slice(from, cursor.at);
    const stop = text.charAt(cursor.at);
    if (stop === "") throw new Unreadable("not valid JSON: the string that begins here is not closed", start);
    if (stop === "\\") {
      value += readEscape(cursor);
      continue;
    }
    if (stop !== close) refuse(cursor, `quotes of different kinds: expected ${close}`);
    cursor.at++;
    return value;
  }
}

function readEscape(cursor: Cursor): string {
  const { text, at } = cursor;
  const plain = escapes.get(text.charAt(at + 1));
  if (plain !== undefined) {
    cursor.at += 2;
    return plain;
  }
  const digits = text.slice(at + 2, at + 6);
  if (text[at + 1] !== "u" || !/[\da-f]{4}/i.test(digits)) {
    refuse(cursor, "a backslash begins no escape of JSON (write two for one)");
  }
  cursor.at += 6;
  return String.fromCharCode(Number.parseInt(digits, 16));
}

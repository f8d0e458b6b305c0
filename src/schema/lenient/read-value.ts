import { jsonEqual } from "../json-value.ts";
import { isJsonNumber, keepsDigits } from "../lossless.ts";
import { maxDepth } from "../parse-json.ts";
import { preview } from "../words.ts";
import { type Cursor, refuse, skipTrivia, Unreadable } from "./cursor.ts";
import { atString, readString } from "./read-string.ts";

/** JSON's words, and Python's. */
const words: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["true", true],
  ["false", false],
  ["null", null],
  ["True", true],
  ["False", false],
  ["None", null],
]);

/** A key without quotes: a name, or an index as JavaScript writes it. */
const bareKey = /[\p{L}_$][\p{L}\p{N}_$-]*|0|[1-9]\d{0,14}/uy;

/** What stands between the places where a value without quotes can end. */
const bareValue = /[^\s,:[\]{}"'“”‘’]*/y;

/**
 * Reads the value that begins at the cursor. Throws `Unreadable` where there is none, or more than one way to read it.
 * @param depth - How many objects and arrays are around it.
 */
export function readValue(cursor: Cursor, depth: number): unknown {
  const opening = cursor.text[cursor.at];
  if (opening !== "{" && opening !== "[") return atString(cursor) ? readString(cursor) : readBare(cursor);
  if (depth >= maxDepth) throw new Unreadable(`nested deeper than ${maxDepth} levels`, cursor.at);
  cursor.at++;
  return opening === "{" ? readObject(cursor, depth) : readArray(cursor, depth);
}

function readObject(cursor: Cursor, depth: number): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  if (closesBefore(cursor, "}")) return object;
  do {
    const start = cursor.at;
    const key = readKey(cursor);
    skipTrivia(cursor, "before-value");
    if (cursor.text[cursor.at] !== ":") refuse(cursor, `expected ":" after the key ${preview(key, 40)}`);
    cursor.at++;
    skipTrivia(cursor, "before-value");
    const value = readMember(cursor, key, depth);
    if (key === "__proto__") continue;
    if (Object.hasOwn(object, key) && !jsonEqual(object[key], value)) {
      throw new Unreadable(`the key ${preview(key, 40)} stands twice, with different values`, start);
    }
    object[key] = value;
  } while (continues(cursor, "}"));
  return object;
}

function readArray(cursor: Cursor, depth: number): unknown[] {
  const items: unknown[] = [];
  if (closesBefore(cursor, "]")) return items;
  do items.push(readMember(cursor, items.length, depth));
  while (continues(cursor, "]"));
  return items;
}

function readMember(cursor: Cursor, key: string | number, depth: number): unknown {
  cursor.path.push(key);
  const value = readValue(cursor, depth + 1);
  cursor.path.pop();
  return value;
}

/** Passes what follows a member: whether there is another. */
function continues(cursor: Cursor, closer: string): boolean {
  skipTrivia(cursor, "after-value");
  if (closes(cursor, closer)) return false;
  if (cursor.text[cursor.at] !== ",") refuse(cursor, `expected "," or "${closer}" after the value`);
  cursor.at++;
  return !closesBefore(cursor, closer);
}

/** Passes the closing bracket instead of a member. Where the text ends here, a member was to come. */
function closesBefore(cursor: Cursor, closer: string): boolean {
  skipTrivia(cursor, closer === "}" ? "before-key" : "before-value");
  return cursor.at < cursor.text.length && closes(cursor, closer);
}

/**
 * Passes the closing bracket. Where nothing but closing brackets follows, the end of the text and a bracket of the other kind
 * will do as well: whichever are missing, the value is the same, unless members are missing too. That is for the schema to say.
 */
function closes(cursor: Cursor, closer: string): boolean {
  if (cursor.text[cursor.at] === closer) {
    cursor.at++;
    return true;
  }
  if (cursor.at < cursor.tail) return false;
  cursor.unclosed.push([...cursor.path]);
  return true;
}

function readKey(cursor: Cursor): string {
  const { text, at: start } = cursor;
  if (atString(cursor)) {
    const key = readString(cursor);
    const raw = text.slice(start + 1, cursor.at - 1);
    // Such a key begins at one quote and ends at another's.
    if (!/[\n\r]/.test(raw) && (text[start] === '"' || !raw.includes('"'))) return key;
    cursor.at = start;
    return refuse(cursor, "the quotes around this key do not belong together");
  }
  const key = matchAt(bareKey, cursor);
  if (key === "" || words.has(key)) refuse(cursor, "expected a key");
  cursor.at += key.length;
  return key;
}

/** What a sticky expression matches at the cursor; empty if nothing. */
function matchAt(expression: RegExp, { text, at }: Cursor): string {
  expression.lastIndex = at;
  return expression.exec(text)?.[0] ?? "";
}

/** A number or a word. */
function readBare(cursor: Cursor): unknown {
  const { text, at } = cursor;
  const word = matchAt(bareValue, cursor);
  if (words.has(word)) {
    cursor.at += word.length;
    return words.get(word);
  }
  const spelled = spellNumber(word);
  if (!isJsonNumber(spelled)) return refuse(cursor, "expected a value (a text needs quotes)");
  cursor.at += word.length;
  if (cursor.at === text.length) {
    throw new Unreadable("not valid JSON: the text ends within or right behind this number", at);
  }
  const number = Number(spelled);
  if (keepsDigits(spelled, number)) return number;
  throw new Unreadable(
    `the number ${word.slice(0, 40)} has more digits, or an exponent further from 0, than a number can hold`,
    at,
  );
}

/** `+3` and `.5` as JSON spells them: other languages write such numbers, and no digit is lost. */
function spellNumber(word: string): string {
  return word.replace(/^\+(?=[\d.])/, "").replace(/^-?(?=\.\d)/, "$&0");
}

import { numberFromText } from "../src/schema/lossless.ts";
import { parsePlain } from "../src/schema/parse-json.ts";

/** A JSON Schema, as far as forms read it. */
export interface FieldSchema {
  readonly type?: unknown;
  readonly description?: unknown;
  readonly enum?: unknown;
  readonly properties?: unknown;
  readonly required?: unknown;
  readonly [keyword: string]: unknown;
}

/** What the text of a field means: a value, `undefined` for none, or why it has no meaning. */
export type Reading = { readonly value: unknown } | { readonly issue: string };

/** The arguments as they are being edited. */
export interface Draft {
  readonly value: Readonly<Record<string, unknown>>;
  /** The fields whose texts mean nothing: while there is one, the arguments must not be used. */
  readonly issues: ReadonlyMap<string, string>;
}

/** The arguments before anything is edited. */
export function draftOf(value: Readonly<Record<string, unknown>>): Draft {
  return { value, issues: new Map() };
}

/** The arguments once a field was edited: a name such as `__proto__` is a name like others. */
export function withReading({ value, issues }: Draft, name: string, reading: Reading): Draft {
  const others = new Map([...issues].filter(([other]) => other !== name));
  if ("issue" in reading) return { value, issues: others.set(name, reading.issue) };
  const next = { ...value };
  if (reading.value === undefined) Reflect.deleteProperty(next, name);
  else
    Object.defineProperty(next, name, {
      value: reading.value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  return { value: next, issues: others };
}

/** The number that a text spells, if it is exactly that. An empty text is no value. */
export function readNumber(text: string, isInteger: boolean): Reading {
  const digits = text.trim();
  if (digits === "") return { value: undefined };
  const value = numberFromText(digits);
  if (value === undefined) {
    const rounded = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(digits) && !/^-?0\d/.test(digits);
    return {
      issue: rounded
        ? roundedIssue
        : `This is not ${isInteger ? "an integer, such as 10" : "a number, such as 10.05"}.`,
    };
  }
  return isInteger && !Number.isInteger(value) ? { issue: "This is not an integer." } : { value };
}

/** The value that a text has in JSON, if it can be read in one way only and loses nothing. An empty text is no value. */
export function readJson(text: string): Reading {
  if (text.trim() === "") return { value: undefined };
  try {
    JSON.parse(text);
  } catch {
    return { issue: "This is not JSON." };
  }
  const numbers = (text.match(tokens) ?? []).filter((token) => !token.startsWith('"'));
  if (numbers.some((number) => numberFromText(number) === undefined)) return { issue: roundedIssue };
  const plain = parsePlain(text);
  // The text may not use what the value lost: the key `__proto__`.
  if (
    !plain ||
    (text.includes("__proto__") && JSON.stringify(JSON.parse(text)) !== JSON.stringify(plain.value))
  )
    return { issue: "It has a key twice, a key __proto__, or more than 512 levels." };
  return plain;
}

const roundedIssue = "The number would be rounded: it has too many digits.";

/** The texts and the numbers in JSON. */
const tokens = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

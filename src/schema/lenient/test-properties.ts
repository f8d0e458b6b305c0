import * as fc from "fast-check";
import { expect } from "vitest";
import { coerce } from "../coerce.ts";
import { compileSchema } from "../compile-schema.ts";
import { parseArguments } from "../parse-arguments.ts";
import { parsePlain } from "../parse-json.ts";
import type { JsonSchema } from "../types.ts";
import { readDocument } from "./read-document.ts";

/** What holds for every document, valid, cut or broken. `check` throws, with the smallest example, where it does not. */
export interface Property {
  readonly title: string;
  /** @param seed - Makes the documents the same each time. */
  check(runs: number, seed?: number): Promise<void>;
}

function property<T>(
  title: string,
  values: fc.Arbitrary<T>,
  holds: (value: T) => void | Promise<void>,
): Property {
  return {
    title,
    async check(numRuns, seed) {
      await fc.assert(
        fc.asyncProperty(values, async (value) => holds(value)),
        { numRuns, ...(seed !== undefined && { seed }) },
      );
    },
  };
}

/**
 * Whether `JSON.parse` reads a document as it is. A key that is a single escaped character, such as a quotation mark, it may take for a
 * backslash, in an object like one that it has read before: seen in V8 of Node 24.21, in one of some ten thousand documents.
 */
function isReadAsItIs(text: string): boolean {
  return !/"\\(?:u[0-9a-f]{4}|.)"\s*:/i.test(text);
}

const values = fc.jsonValue({ stringUnit: "binary", maxDepth: 4 });
const objects = fc.dictionary(fc.string({ unit: "binary" }), values, { maxKeys: 5 });
const written = fc
  .tuple(fc.oneof(objects, fc.array(values)), fc.constantFrom(undefined, 1, "\t"))
  .map(([value, space]) => JSON.stringify(value, undefined, space))
  .filter(isReadAsItIs);

/** Texts without letters that an escape could stand for, so that what is written can be compared with what is read. */
const letters = "acd xyz01279,:;{}[]\"'“”#/=\\".split("");
const words = fc.string({ unit: fc.constantFrom(...letters), maxLength: 8 });
const wordy = fc
  .letrec<{ node: unknown; object: Record<string, unknown> }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 3 },
      words,
      fc.nat(),
      fc.constantFrom(true, null),
      tie("object"),
      fc.array(tie("node")),
    ),
    object: fc.dictionary(words, tie("node"), { maxKeys: 4 }),
  }))
  .object.map((object) => JSON.stringify(object))
  .filter(isReadAsItIs);

const edits = fc.array(
  fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    removed: fc.nat({ max: 3 }),
    inserted: fc.constantFrom(
      "",
      '"',
      "'",
      ",",
      ":",
      "{",
      "}",
      "[",
      "]",
      "\\",
      "“",
      "”",
      "a",
      "7",
      " ",
      "\n",
      "/",
      "#",
      "=",
    ),
  }),
  { minLength: 1, maxLength: 3 },
);
const broken = fc.tuple(wordy, edits).map(([text, edits]) =>
  edits.reduce((result, { at, removed, inserted }) => {
    const index = Math.floor(at * (result.length + 1));
    return result.slice(0, index) + inserted + result.slice(index + removed);
  }, text),
);

const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), {
  minLength: 10,
  maxLength: 10,
});

type Choose = (...ways: readonly string[]) => string;

/** A value as a model writes it who knows JSON from hearsay; `choose` takes one of the ways there are. */
function dress(value: unknown, choose: Choose): string {
  const gap = (): string =>
    choose("", "", " ", "\n", ' /* so, "x": [1} */ ', " // don't\n", " # say, more:\n", "\u00a0");
  if (typeof value === "string") return dressText(value, choose);
  if (value === null) return choose("null", "None");
  if (typeof value === "boolean") return choose(String(value), value ? "True" : "False");
  if (typeof value !== "object") return JSON.stringify(value);
  const key = (name: string): string =>
    /^[a-z]+$/.test(name) && !/^(true|false|null)$/.test(name)
      ? choose(name, dressText(name, choose))
      : JSON.stringify(name);
  const members = Array.isArray(value)
    ? value.map((item) => dress(item, choose))
    : Object.entries(value).map(
        ([name, member]) => `${key(name)}${choose("", " ")}:${choose("", " ")}${dress(member, choose)}`,
      );
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  const list = members.map(
    (member, index) => member + (index < members.length - 1 ? `${plainGap(choose)},${gap()}` : ""),
  );
  return `${open}${gap()}${list.join("")}${members.length > 0 ? choose("", ",", " , ") : ""}${plainGap(choose)}${close}`;
}

/** Behind a value, a comment with quotes would be doubtful. */
function plainGap(choose: Choose): string {
  return choose("", " ", "\n\t", " /* so */ ", " // done\n");
}

function dressText(text: string, choose: Choose): string {
  const json = JSON.stringify(text);
  const inner = json.slice(1, -1);
  const ways = [json];
  ways.push(`'${inner.replaceAll("'", "\\'")}'`, `'${inner.replaceAll("'", "\\'").replaceAll('\\"', '"')}'`);
  if (!/[“”"]/.test(text)) ways.push(`“${inner}”`);
  if (!/[‘’']/.test(text)) ways.push(`‘${inner}’`);
  // A backslash that stands for itself keeps what follows from being an escape.
  if (!text.includes("\\")) ways.push(json.replaceAll("\\n", "\n").replaceAll("\\t", "\t"));
  return choose(...ways);
}

const dressed = fc
  .tuple(
    fc.dictionary(
      fc.oneof(fc.string({ unit: fc.constantFrom("a", "b", "c") }), fc.string()),
      fc.oneof(values, objects),
      { maxKeys: 4 },
    ),
    fc.infiniteStream(fc.nat()),
  )
  .map(([value, numbers]): readonly [string, unknown] => {
    const choose: Choose = (...ways) => ways[Number(numbers.next().value) % ways.length] ?? "";
    const text = dress(value, choose);
    const fence = "```";
    const around = [
      "$",
      "$",
      "Here you are:\n$\nDone!",
      `${fence}json\n$\n${fence}`,
      "$$",
      "<tool_call>$</tool_call>",
      "$ $\n$",
      " $ ",
    ];
    return [choose(...around).replaceAll("$", () => text), value];
  });

/** Whatever is a word in a text, in a string or outside. A line break may be written as itself or as an escape. */
function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.replaceAll(/\\[nrtbf]/g, " ").match(/[a-z0-9]+/gi));
}

/** The brackets that a cut document lacks, found by its own characters alone; `undefined` within a string. */
function missingBrackets(cut: string): string | undefined {
  const missing: string[] = [];
  const outside = cut.replace(/"(?:[^"\\]|\\.)*"/gs, "");
  if (outside.includes('"')) return undefined;
  for (const character of outside) {
    if (character === "{") missing.unshift("}");
    if (character === "[") missing.unshift("]");
    if (character === "}" || character === "]") missing.shift();
  }
  return missing.join("");
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** As JSON, keys `__proto__` left out as `readDocument` does. */
function jsonOf(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) => {
    if (typeof member !== "object" || member === null || !Object.hasOwn(member, "__proto__")) return member;
    return Object.fromEntries(Object.entries(member).filter(([key]) => key !== "__proto__"));
  });
}

const schema: JsonSchema = {
  type: "object",
  properties: {
    a: { type: "string" },
    c: { type: "number" },
    d: { type: "array", items: { type: "integer" } },
  },
  additionalProperties: {
    anyOf: [{ type: "boolean" }, { type: "array", items: { type: "string" } }, { $ref: "#" }],
  },
};

/** What `test/long` holds to many more documents. */
export const properties: readonly Property[] = [
  property("a valid document is read as JSON.parse reads it", written, async (text) => {
    const expected = jsonOf(JSON.parse(text));
    const read = readDocument(text);
    expect(read.ok && jsonOf(read.value)).toBe(expected);
    const plain = parsePlain(text);
    if (plain) expect(jsonOf(plain.value)).toBe(expected);
    if (!text.startsWith("{")) return;
    const outcome = await parseArguments(text, compileSchema({}));
    expect(outcome.ok && jsonOf(outcome.value)).toBe(expected);
  }),

  property(
    "of a cut document nothing but brackets is added",
    fc.tuple(fc.oneof(written, wordy), cuts),
    ([text, cuts]) => {
      for (const at of cuts) {
        const cut = text.slice(0, Math.floor(at * text.length));
        const read = readDocument(cut);
        if (!read.ok) continue;
        const missing = missingBrackets(cut);
        expect(missing).toBeDefined();
        expect(cut.trimEnd()).not.toMatch(/[,:]$|(^|[[{])$/);
        expect(jsonOf(read.value)).toBe(jsonOf(parsed(cut + missing)));
      }
    },
  ),

  property("of a broken document nothing is left out, and nothing is made up", broken, (text) => {
    // Within an array nothing is prose. A text that closes it and opens another cannot repeat it, for it has no `w`.
    const array = `["w",${text}]`;
    const read = readDocument(array);
    if (!read.ok) return;
    const found = wordsOf(jsonOf(read.value));
    for (const word of found) expect(wordsOf(array)).toContain(word);
    if (/\/\/|\/\*|#/.test(array)) return;
    for (const word of wordsOf(array)) expect(found).toContain(word);
  }),

  property(
    "a document in any of the ways that models write is read as the document",
    dressed,
    ([text, value]) => {
      const read = readDocument(text);
      expect(read.ok ? jsonOf(read.value) : read.problem).toBe(jsonOf(value));
    },
  ),

  property("whatever is written, there is an answer, and what is taken fits", broken, async (text) => {
    const compiled = compileSchema(schema);
    const outcome = await parseArguments(text, compiled);
    if (outcome.ok) expect(compiled.validate(outcome.value).ok).toBe(true);
    else expect(outcome.issues).not.toEqual([]);
  }),

  property("what fits is not coerced, and what was coerced is not coerced again", objects, (value) => {
    const coerced = coerce(schema, value);
    expect(coerce(schema, coerced)).toBe(coerced);
    if (compileSchema(schema).validate(value).ok) expect(coerced).toBe(value);
  }),
];

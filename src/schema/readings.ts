import { enumMembersOf } from "./enum-members.ts";
import { readDocument } from "./lenient/read-document.ts";
import { numberFromText, textFromNumber } from "./lossless.ts";
import { parsePlain } from "./parse-json.ts";
import type { JsonSchema } from "./types.ts";
import { isObject } from "../base/util/json.ts";

/** Another form of a value. */
export interface Reading {
  readonly value: unknown;
  /** Set where it only counts if the schema then accepts the whole. */
  readonly tentative?: boolean;
}

/**
 * The form of `value` that the schema's own `enum`, `const` or `type` asks for, if `value` has another that says the same;
 * `undefined` if there is none, or nothing to mend.
 * @param respelled - The numbers whose text is not what was written.
 */
export function readingOf(
  schema: JsonSchema,
  value: unknown,
  respelled: ReadonlySet<number>,
): Reading | undefined {
  if (Object.hasOwn(schema, "const")) return amongMembers([schema["const"]], value, respelled);
  if (Array.isArray(schema["enum"])) return amongMembers(schema["enum"], value, respelled);
  const { type } = schema;
  const types: readonly unknown[] = Array.isArray(type) ? type : type === undefined ? [] : [type];
  if (types.length === 0 || types.includes(typeName(value))) return undefined;
  if (typeof value === "number") {
    if (types.includes("number") || types.includes("integer")) return undefined;
    const text = types.includes("string") ? textFromNumber(value, respelled) : undefined;
    if (text !== undefined) return { value: text };
  }
  const reading = typeof value === "string" ? fromText(types, value) : undefined;
  return reading ?? (types.includes("array") ? inArray(value) : undefined);
}

function typeName(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function fromText(types: readonly unknown[], text: string): Reading | undefined {
  const number = types.includes("number") || types.includes("integer") ? numberFromText(text) : undefined;
  if (number !== undefined && (types.includes("number") || Number.isInteger(number)))
    return { value: number };
  if (types.includes("boolean") && (text === "true" || text === "false")) return { value: text === "true" };
  if (!looksLikeStructure(text)) return undefined;
  const parsed = parseStrictly(text);
  return parsed && types.includes(typeName(parsed.value)) ? parsed : undefined;
}

/** The value of a text that is JSON, unless something would be lost. */
function parseStrictly(text: string): Reading | undefined {
  const plain = parsePlain(text);
  if (plain) return plain;
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  const read = readDocument(text);
  return read.ok ? { value: read.value } : undefined;
}

function looksLikeStructure(text: string): boolean {
  return /^\s*[[{]/.test(text);
}

/**
 * One scalar for an array of one. An empty text may as well mean an empty array, one with separators several items; broken
 * JSON is not an item.
 */
function inArray(value: unknown): Reading | undefined {
  if (value === null || isObject(value) || Array.isArray(value)) return undefined;
  if (typeof value === "string" && (/^\s*$|[,;\n]/.test(value) || looksLikeStructure(value)))
    return undefined;
  return { value: [value], tentative: true };
}

function amongMembers(
  members: readonly unknown[],
  value: unknown,
  respelled: ReadonlySet<number>,
): Reading | undefined {
  const enumMembers = enumMembersOf(members);
  if (enumMembers.has(value)) return undefined;
  if (typeof value === "number") {
    const text = textFromNumber(value, respelled);
    return text !== undefined && enumMembers.has(text) ? { value: text } : undefined;
  }
  if (typeof value !== "string") return undefined;
  const number = numberFromText(value);
  if (number !== undefined && enumMembers.has(number)) return { value: number };
  if ((value === "true" || value === "false") && enumMembers.has(value === "true"))
    return { value: value === "true" };
  const similar = enumMembers.like(value);
  return similar === undefined ? undefined : { value: similar };
}

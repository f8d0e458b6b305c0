import type { JsonSchema } from "../../schema/types.ts";
import type { DocTag } from "./doc-comments.ts";
import { withNamesAfter } from "./types/enum-names.ts";

/** Keywords that take a number, and the JSON types they speak of. */
const numeric: Readonly<Record<string, readonly string[]>> = {
  minimum: ["number", "integer"],
  maximum: ["number", "integer"],
  exclusiveMinimum: ["number", "integer"],
  exclusiveMaximum: ["number", "integer"],
  multipleOf: ["number", "integer"],
  minLength: ["string"],
  maxLength: ["string"],
  minItems: ["array"],
  maxItems: ["array"],
};
/** The keywords that not every number suits. */
const requirements: Readonly<Record<string, string>> = {
  multipleOf: "a number above 0",
  minLength: "a whole number of at least 0",
  maxLength: "a whole number of at least 0",
  minItems: "a whole number of at least 0",
  maxItems: "a whole number of at least 0",
};
const textual = new Set(["pattern", "format"]);

/** Whether a tag says which values are allowed. */
export function isConstraint(tag: string): boolean {
  return Object.hasOwn(numeric, tag) || textual.has(tag) || tag === "integer" || tag === "uniqueItems";
}

/** The JSON types that a constraint is for. */
export function constrainedKinds(tag: string): readonly string[] {
  if (tag === "integer") return ["number"];
  return Object.hasOwn(numeric, tag) ? (numeric[tag] ?? []) : textual.has(tag) ? ["string"] : [];
}

/**
 * Adds to `schema` what the tags of a doc comment say: `@minimum 0`, `@format email`, `@default 5` and the like.
 * A tag that cannot be read, or does not suit the type, is left out with a warning.
 */
export function applyTags(
  schema: JsonSchema,
  tags: readonly DocTag[],
  warn: (message: string) => void,
): JsonSchema {
  let result = { ...schema };
  // oxlint-disable-next-line oxc/no-accumulating-spread -- few tags; and a spread copies the symbols that mark types to revive
  for (const tag of tags) result = { ...result, ...stricter(result, keywords(result, tag, warn)) };
  return result;
}

/** The keywords of which the greater, or the lesser, number lets less through. */
const greater = new Set(["minimum", "exclusiveMinimum", "minLength", "minItems"]);
const lesser = new Set(["maximum", "exclusiveMaximum", "maxLength", "maxItems"]);

/** What is added to `schema`, so that what the type, or another comment, says still holds. */
function stricter(schema: JsonSchema, added: JsonSchema): JsonSchema {
  const [[name, value] = []] = Object.entries(added);
  const before = name === undefined ? undefined : schema[name];
  if (name === undefined || before === undefined || before === value) return added;
  if (typeof before === "number" && typeof value === "number") {
    if (greater.has(name)) return { [name]: Math.max(before, value) };
    if (lesser.has(name)) return { [name]: Math.min(before, value) };
  }
  if (name === "uniqueItems") return { uniqueItems: before === true || value === true };
  if (name !== "pattern" && name !== "multipleOf") return added;
  const others: readonly JsonSchema[] = Array.isArray(schema["allOf"]) ? schema["allOf"] : [];
  return others.some((each) => each[name] === value) ? {} : { allOf: [...others, added] };
}

/** `schema` with a description, right after its type; an empty one changes nothing. */
export function described(schema: JsonSchema, description: string): JsonSchema {
  if (description === "") return schema;
  const { type, description: _before, ...rest } = schema;
  return {
    ...(type === undefined ? {} : { type }),
    description: withNamesAfter(schema, description),
    ...rest,
  };
}

function keywords(schema: JsonSchema, { name, text }: DocTag, warn: (message: string) => void): JsonSchema {
  const kinds = name === "integer" ? [] : constrainedKinds(name);
  if (kinds.length > 0 && !suits(schema, kinds)) {
    warn(`@${name} says nothing about its type, which is not ${kinds[0]}`);
    return {};
  }
  if (Object.hasOwn(numeric, name)) return numericKeyword(name, text, warn);
  switch (name) {
    case "pattern":
      return patternKeyword(text, warn);
    case "format":
      return text === "" ? {} : { format: text.split(/\s/)[0] };
    case "integer":
      return integerKeyword(schema, warn);
    case "uniqueItems":
      return { uniqueItems: text !== "false" };
    case "deprecated":
      return { deprecated: true };
    case "default":
    case "defaultValue":
      return text === "" ? {} : defaultKeyword(text, schema, warn);
    case "example":
      return text === "" ? {} : { examples: [...examplesOf(schema), valueOf(text, schema)] };
    case "examples":
      return text === "" ? {} : { examples: [...examplesOf(schema), ...[valueOf(text, schema)].flat()] };
    default:
      return {};
  }
}

function numericKeyword(name: string, text: string, warn: (message: string) => void): JsonSchema {
  const word = text.split(/\s/)[0] ?? "";
  const value = Number(word);
  if (word !== "" && Number.isFinite(value) && isAllowed(name, value)) return { [name]: value };
  warn(`@${name} needs ${requirements[name] ?? "a number"}, not "${text}"`);
  return {};
}

/** JSON Schema 2020-12, validation, 6.2 to 6.4. */
function isAllowed(name: string, value: number): boolean {
  if (name === "multipleOf") return value > 0;
  return requirements[name] === undefined || (Number.isInteger(value) && value >= 0);
}

/** A regular expression as JavaScript writes it. A path, such as `/users/./`, has slashes within. */
const literal = /^\/((?:[^\\/[\n]|\\.|\[(?:[^\\\]\n]|\\.)*\])+)\/([dgimsuvy]*)$/;

function patternKeyword(text: string, warn: (message: string) => void): JsonSchema {
  const word = text.replace(/^`(.*)`$/s, "$1");
  const parts = literal.exec(word);
  const [, pattern = word, flags = ""] = parts ?? [];
  // Whether the values have quotes, or the comment has them around the expression, is not for guessing.
  const [, , unquoted] = (!parts && /^(["'])(.*)\1$/s.exec(word)) || [];
  if (unquoted !== undefined) {
    warn(
      `@pattern has quotes around it: write @pattern ${unquoted}, or /${word}/ where the values have them`,
    );
    return {};
  }
  if (flags.replace("u", "") !== "") {
    warn(`@pattern has no flags, which "${word}" ends with: write the expression alone`);
    return {};
  }
  try {
    return { pattern: new RegExp(pattern, "u").source };
  } catch (error) {
    warn(`@pattern is not a regular expression: ${error instanceof Error ? error.message : String(error)}`);
    return {};
  }
}

/** Code, as in `[since=new Date()]`, is not a value for the model. */
function defaultKeyword(text: string, schema: JsonSchema, warn: (message: string) => void): JsonSchema {
  const value = valueOf(text, schema);
  if (typeof value !== "string" || canBe(value, schema)) return { default: value };
  warn(`@default needs a value of its type, not "${text}"`);
  return {};
}

function canBe(text: string, schema: JsonSchema): boolean {
  const { enum: values, format } = schema;
  if (Array.isArray(values)) return values.includes(text);
  const isTime = format !== "date-time" || !Number.isNaN(Date.parse(text));
  return isTime && suits(schema, ["string"]);
}

function integerKeyword(schema: JsonSchema, warn: (message: string) => void): JsonSchema {
  const { type } = schema;
  if (type === "integer") return {};
  if (type === "number") return { type: "integer" };
  if (Array.isArray(type) && type.includes("number")) {
    return { type: type.map((name: unknown) => (name === "number" ? "integer" : name)) };
  }
  warn("@integer says nothing about its type, which is not number");
  return {};
}

function examplesOf(schema: JsonSchema): readonly unknown[] {
  return Array.isArray(schema["examples"]) ? schema["examples"] : [];
}

/** JSON where the text is JSON and may be so read, else the text itself, without quotes around it. */
function valueOf(text: string, schema: JsonSchema): unknown {
  const word = text.replace(/^`(.*)`$/s, "$1");
  try {
    const value: unknown = JSON.parse(word);
    return typeof value !== "string" && schema["type"] === "string" ? word : value;
  } catch {
    return word.replace(/^(['"])(.*)\1$/s, "$2");
  }
}

/** Whether values of one of `types` can fit `schema`; one that does not constrain them is taken to suit. */
function suits(schema: JsonSchema, types: readonly string[]): boolean {
  const { anyOf, type } = schema;
  if (Array.isArray(anyOf)) return anyOf.some((member: JsonSchema) => suits(member, types));
  return type === undefined || [type].flat().some((name) => typeof name === "string" && types.includes(name));
}

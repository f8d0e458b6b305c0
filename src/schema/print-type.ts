import { isPlainObject } from "../base/util/json.ts";
import type { JsonSchema } from "./types.ts";

/** How a JSON Schema is written as a type. */
export interface TypeStyle {
  /** Whether TypeScript has to read it, in several lines and with comments; else people do, in one line. */
  readonly isCode: boolean;
  /** The name of what a `$ref` refers to. */
  readonly nameOf: (reference: string) => string;
}

/** A JSON Schema as a type: exact for what functions usually take and return, `unknown` for the rest. The same schema is the same text. */
export function printType(schema: unknown, style: TypeStyle, indent = ""): string {
  if (schema === false && style.isCode) return "never";
  if (!isPlainObject(schema)) return "unknown";
  const type = printOne(schema, style, indent);
  const isNullable = schema["nullable"] === true && style.isCode && type !== "unknown";
  return isNullable ? union([type, "null"]) : type;
}

function printOne(schema: JsonSchema, style: TypeStyle, indent: string): string {
  const { enum: values, type, $ref: reference, anyOf, oneOf, allOf } = schema;
  if ("const" in schema) return JSON.stringify(schema["const"]);
  if (Array.isArray(values)) return union(values.map((value) => JSON.stringify(value)));
  if (typeof reference === "string") return style.nameOf(reference);
  const choices = Array.isArray(anyOf) ? anyOf : oneOf;
  const parts = [
    ...(Array.isArray(choices) ? [union(choices.map((each) => printType(each, style, indent)))] : []),
    ...(Array.isArray(allOf) && style.isCode ? allOf.map((each) => printType(each, style, indent)) : []),
  ].filter((part) => part !== "unknown");
  if (parts.length === 0) return printNamed(type, schema, style, indent);
  const own = style.isCode && isPlainObject(schema["properties"]) ? [printObject(schema, style, indent)] : [];
  const all = [...own, ...parts];
  return all.length === 1 ? (all[0] ?? "unknown") : all.map(inBrackets).join(" & ");
}

/** A type by its name: one that a schema has, or one of several. */
function printNamed(type: unknown, schema: JsonSchema, style: TypeStyle, indent: string): string {
  if (Array.isArray(type))
    return union(type.map((name) => (style.isCode ? printNamed(name, schema, style, indent) : String(name))));
  if (type === "array") return printList(schema, style, indent);
  if (type === "object" || (style.isCode && isPlainObject(schema["properties"])))
    return printObject(schema, style, indent);
  if (type === "integer" && style.isCode) return "number";
  return typeof type === "string" ? type : "unknown";
}

/** Alternatives that differ only in format or limits read the same, and are written once. */
function union(members: readonly string[]): string {
  return [...new Set(members)].join(" | ");
}

/** A tuple with its elements, optional ones marked, and what may follow them; else a list. */
function printList({ prefixItems, minItems, items }: JsonSchema, style: TypeStyle, indent: string): string {
  if (!Array.isArray(prefixItems)) return listOf(printType(items, style, indent));
  const least = typeof minItems === "number" ? minItems : 0;
  const elements = prefixItems.map((item, index) =>
    optional(printType(item, style, indent), index >= least, style),
  );
  const rest =
    items === false || items === undefined ? [] : [`...${listOf(printType(items, style, indent))}`];
  return `[${[...elements, ...rest].join(", ")}]`;
}

function optional(element: string, isOptional: boolean, { isCode }: TypeStyle): string {
  if (!isOptional) return element;
  return isCode ? `${inBrackets(element)}?` : `${element}?`;
}

function listOf(item: string): string {
  return `${inBrackets(item)}[]`;
}

function inBrackets(type: string): string {
  return / [|&] /.test(type) && !/^\{[^]*\}$/.test(type) ? `(${type})` : type;
}

function printObject(schema: JsonSchema, style: TypeStyle, indent: string): string {
  const inner = printProperties(schema, style, `${indent}  `);
  const { additionalProperties: values } = schema;
  const isOpen = isPlainObject(values) || (style.isCode && values === true);
  if (inner.length === 0) {
    if (isPlainObject(values)) return `Record<string, ${printType(values, style, indent)}>`;
    if (!style.isCode) return "object";
    return values === false ? "{}" : "Record<string, unknown>";
  }
  // TypeScript wants every property to be of the type that all others have.
  const others = isOpen
    ? [`[key: string]: ${style.isCode ? "unknown" : printType(values, style, indent)}`]
    : [];
  const members = [...inner, ...others];
  const isLong = style.isCode && members.some((member) => member.includes("\n"));
  if (!isLong) return `{ ${members.join("; ")} }`;
  return `{\n${members.map((member) => `${indent}  ${member};\n`).join("")}${indent}}`;
}

/** The properties of an object's schema, as a signature has parameters: `city: string`, `unit?: "celsius" | "fahrenheit"`. */
export function printProperties(schema: JsonSchema, style: TypeStyle, indent = ""): readonly string[] {
  const { properties: all, required } = schema;
  if (!isPlainObject(all)) return [];
  const needed = new Set(Array.isArray(required) ? required : []);
  return Object.entries(all).map(([name, type]) => {
    const property = `${nameIn(name, style)}${needed.has(name) ? "" : "?"}: ${printType(type, style, indent)}`;
    const comment = style.isCode ? commentOf(type, indent) : "";
    return comment === "" ? property : `${comment}\n${indent}${property}`;
  });
}

function nameIn(name: string, { isCode }: TypeStyle): string {
  return isCode ? printName(name) : name;
}

/** A name as TypeScript has it in front of a property or a method. */
export function printName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

function commentOf(schema: unknown, indent: string): string {
  if (!isPlainObject(schema)) return "";
  const { description, default: value } = schema;
  const words = typeof description === "string" ? description.trim() : "";
  const notes = value === undefined ? [] : [`@default ${JSON.stringify(value)}`];
  return printComment([...(words === "" ? [] : [words]), ...notes].join("\n"), indent);
}

/** A doc comment; nothing for no words. */
export function printComment(words: string, indent: string): string {
  const lines = words.replaceAll("*/", "*\\/").split(/\r?\n/);
  if (words === "") return "";
  if (lines.length === 1) return `/** ${words.replaceAll("*/", "*\\/")} */`;
  return `/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join("\n")}\n${indent} */`;
}

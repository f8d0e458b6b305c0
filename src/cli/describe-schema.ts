import type { JsonSchema } from "../schema/types.ts";
import { isPlainObject } from "../base/util/json.ts";

/** A tool's parameters on one line, much as TypeScript writes them: `city: string, unit?: "celsius" | "fahrenheit"`. */
export function describeParameters(schema: JsonSchema): string {
  return properties(schema).join(", ");
}

function properties(schema: JsonSchema): string[] {
  const { properties: all, required } = schema;
  if (!isPlainObject(all)) return [];
  const needed = new Set(Array.isArray(required) ? required : []);
  return Object.entries(all).map(
    ([name, type]) => `${name}${needed.has(name) ? "" : "?"}: ${describeType(type)}`,
  );
}

/** A JSON Schema as a type: exact for what functions usually take, `unknown` for the rest. */
export function describeType(schema: unknown): string {
  if (!isPlainObject(schema)) return "unknown";
  const { enum: values, type, items, $ref: reference, anyOf, oneOf } = schema;
  if ("const" in schema) return JSON.stringify(schema["const"]);
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(" | ");
  if (typeof reference === "string") return reference.slice(reference.lastIndexOf("/") + 1);
  if (Array.isArray(anyOf)) return union(anyOf);
  if (Array.isArray(oneOf)) return union(oneOf);
  if (Array.isArray(type)) return type.join(" | ");
  if (type === "array") return describeList(schema, items);
  if (type === "object") return objectType(schema);
  return typeof type === "string" ? type : "unknown";
}

/** Alternatives that differ only in format or limits read the same, and are written once. */
function union(members: readonly unknown[]): string {
  return [...new Set(members.map(describeType))].join(" | ");
}

/** A tuple with its elements, optional ones marked, and what may follow them; else a list. */
function describeList({ prefixItems, minItems }: JsonSchema, items: unknown): string {
  if (!Array.isArray(prefixItems)) return listOf(describeType(items));
  const least = typeof minItems === "number" ? minItems : 0;
  const elements = prefixItems.map((item, index) => describeType(item) + (index < least ? "" : "?"));
  const rest = items === false || items === undefined ? [] : [`...${listOf(describeType(items))}`];
  return `[${[...elements, ...rest].join(", ")}]`;
}

function listOf(item: string): string {
  return item.includes(" | ") ? `(${item})[]` : `${item}[]`;
}

function objectType(schema: JsonSchema): string {
  const inner = properties(schema);
  const values = schema["additionalProperties"];
  const others = isPlainObject(values) ? [`[key: string]: ${describeType(values)}`] : [];
  if (inner.length > 0) return `{ ${[...inner, ...others].join("; ")} }`;
  return isPlainObject(values) ? `Record<string, ${describeType(values)}>` : "object";
}

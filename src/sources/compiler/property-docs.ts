import type { JsonSchema } from "../../schema/types.ts";
import { applyTags, described } from "./constraints.ts";
import type { DocComment, ParameterDoc } from "./doc-comments.ts";

/** Adds to the properties of `schema` what `@param prefix.property` entries say of them, and `prefix[].property` of a list's. */
export function describeProperties(
  schema: JsonSchema,
  prefix: string,
  doc: DocComment,
  warn: (message: string) => void,
): JsonSchema {
  const element = `${prefix.slice(0, -1)}[]`;
  const { items } = schema;
  if (isSchema(items) && prefix !== "" && hasEntries(doc, element)) {
    return { ...schema, items: describePart(items, element, doc, warn) };
  }
  const properties = propertiesOf(schema);
  if (properties === undefined || !hasEntries(doc, prefix)) return schema;
  const required: readonly unknown[] = Array.isArray(schema["required"]) ? schema["required"] : [];
  const entries = Object.entries(properties).map(([name, property]) => [
    name,
    describePart(property, `${prefix}${name}`, doc, warn, required.includes(name)),
  ]);
  return { ...schema, properties: Object.fromEntries(entries) };
}

function describePart(
  schema: JsonSchema,
  path: string,
  doc: DocComment,
  warn: (message: string) => void,
  isRequired = true,
): JsonSchema {
  const inner = describeProperties(schema, `${path}.`, doc, warn);
  const entry = doc.parameters.get(path);
  if (entry === undefined) return inner;
  const { description, tags } = isRequired ? withoutBrackets(entry, path, warn) : entry;
  return applyTags(described(inner, description), tags, warn);
}

/** What `@param [name=value]` says of what must be given, without the value. */
export function withoutBrackets(
  { description, tags }: ParameterDoc,
  path: string,
  warn: (message: string) => void,
): ParameterDoc {
  const ofBrackets = tags.find((tag) => tag.isOfBrackets);
  if (ofBrackets === undefined) return { description, tags };
  warn(`@param [${path}=${ofBrackets.text}] says that it may be left out, which its type does not`);
  return { description, tags: tags.filter((tag) => tag !== ofBrackets) };
}

function hasEntries(doc: DocComment, prefix: string): boolean {
  return [...doc.parameters.keys()].some((name) => name.startsWith(prefix));
}

/** The properties of an object schema; `undefined` if it has none. */
export function propertiesOf(schema: JsonSchema): Readonly<Record<string, JsonSchema>> | undefined {
  const { properties } = schema;
  return isProperties(properties) ? properties : undefined;
}

function isProperties(value: unknown): value is Readonly<Record<string, JsonSchema>> {
  return typeof value === "object" && value !== null;
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
